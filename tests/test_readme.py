"""The README names every setting, mode and number, its commands exist, and its code runs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from playground.core.config import BOILERPLATE, SNAPS, TAILS
from playground.core.modes import MODES
from playground.core.outline.forms import FORMS
from playground.core.rulers import UNITS
from playground.core.separators import PRESETS
from playground.core.thresholds import THRESHOLDS
from playground.export.files import EXPORTS
from playground.resources import TOKENIZERS
from playground.settings import SETTINGS

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")


VALUES = (MODES, UNITS, TAILS, TOKENIZERS, PRESETS, FORMS, THRESHOLDS, SNAPS, BOILERPLATE)


@pytest.mark.parametrize("name", [*dict.fromkeys(name for names in VALUES for name in names)])
def test_every_value_is_named(name: str) -> None:
    assert f"`{name}`" in README


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_every_setting_has_its_row(setting) -> None:
    assert f"| {setting.label} |" in README


@pytest.mark.parametrize(
    "number",
    [
        "smallest",
        "median",
        "mean",
        "largest",
        "duplicated",
        "cut a word",
        "a sentence",
        "asked",
        "achieved",
        "coverage",
    ],
)
def test_every_number_is_explained(number: str) -> None:
    table = README.split("## What the numbers mean")[1].split("## ")[0]
    assert number in table


def test_the_evaluation_example_runs() -> None:
    (code,) = re.findall(r"```py\n(.*?)```", README, re.DOTALL)
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("count=20") == 2


def test_the_python_example_runs() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    count, tokens = map(int, done.stdout.split()[:2])
    assert count > 1
    assert 0 < tokens <= 240


@pytest.mark.parametrize("export", EXPORTS.values(), ids=lambda export: export.name)
def test_every_format_is_named(export) -> None:
    assert f"`{export.extension}`" in README


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_is_explained(mode: str) -> None:
    assert f"| {mode} |" in README


def test_the_command_line_runs_as_written(tmp_path: Path) -> None:
    (line,) = re.findall(r"^python -m playground (.*) --out", README, re.MULTILINE)
    files, *options = line.split(" ")
    out = tmp_path / "chunks.jsonl"
    command = [sys.executable, "-m", "playground", *map(str, sorted(ROOT.glob(files))), *options, "--out", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "company-handbook.md" in done.stdout
    assert out.read_text("utf-8").count("\n") > 50


def test_the_commands_and_links_lead_somewhere() -> None:
    assert "pip install -r requirements.txt && streamlit run app.py" in README
    assert (ROOT / "tests/run").stat().st_mode & 0o111, "tests/run must be executable"
    links = [link for link in re.findall(r"\]\(([^)]+)\)", README) if "://" not in link]
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_layers_are_those_of_the_tree() -> None:
    named = set(re.findall(r"^playground/(\w+)", README, re.MULTILINE))
    real = {path.stem for path in (ROOT / "playground").iterdir() if not path.name.startswith("_")}
    assert named == real
