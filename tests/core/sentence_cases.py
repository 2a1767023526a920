"""The published table: texts, and the sentences that a careful reader sees in them, written by hand.

White space between sentences is left out of `expected`; everything else is exact. `KNOWN_WRONG` names the cases
that come out otherwise, with what comes out.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    name: str
    tag: str
    text: str
    expected: tuple[str, ...]


def _case(name: str, tag: str, *expected: str, gap: str = " ") -> Case:
    """A case whose text is its sentences with `gap` between them."""
    return Case(name, tag, gap.join(expected), expected)


CASES = (
    # --- English ---------------------------------------------------------------------------------------------
    Case(
        "everything at once",
        "English",
        'Dr. Who paid $3.50 to the U.S. Now he left… e.g. Fig. 3 shows (see p. 4). "Stop!" he said. 1. First item',
        (
            "Dr. Who paid $3.50 to the U.S.",
            "Now he left… e.g. Fig. 3 shows (see p. 4).",
            '"Stop!" he said.',
            "1. First item",
        ),
    ),
    _case("plain", "English", "The bell rang.", "Nobody moved.", "Why?", "It was Sunday!"),
    _case("title and name", "English", "Mr. Pike met Mrs. Lund and Dr. Osei.", "They talked."),
    _case("stacked titles", "English", "Prof. Dr. Vance spoke.", "Rev. Hale listened."),
    _case("saint and mount", "English", "We crossed St. Ives Bay.", "Mt. Fell was white."),
    _case("general and senator", "English", "Gen. Ward wrote to Sen. Moss.", "Neither replied."),
    _case("initials", "English", "J. R. R. Hartley edited it.", "P.D. Frost did not."),
    _case("one initial", "English", "Ask Mary T. Quill about it.", "She knows."),
    _case("for example", "English", "Use a unit, e.g. Tokens or words.", "Both work."),
    _case("that is", "English", "Take the last one, i.e. March.", "Leave the rest."),
    _case("versus", "English", "See Holm vs. Adler on this.", "It was close."),
    _case("compare", "English", "The limit is 20 (cf. Table 2).", "More is refused."),
    _case("et al. with a year", "English", "Moreno et al. (2019) found more.", "We did not."),
    _case("et al. at the end", "English", "The idea is due to Moreno et al.", "The proof is ours."),
    _case("et cetera inside", "English", "Bring pens, paper, etc. and a bag.", "Come early."),
    _case("et cetera at the end", "English", "Bring pens, paper, etc.", "The rest is there."),
    _case("figure and section", "English", "Fig. 2 and Sec. 4.1 agree.", "Eq. (3) does not."),
    _case("page and pages", "English", "See p. 4 and pp. 10-12.", "Vol. 2 has more."),
    _case("number sign", "English", "Room No. 5 is free.", "No. 7 is not."),
    _case("the word no", "English", "She asked, and he said no.", "Then he left."),
    _case("the word fig", "English", "He ate a fig.", "It was ripe."),
    _case("the word sat", "English", "The cat sat.", "The dog stood."),
    _case("company inside", "English", "Brill Inc. makes lamps.", "Orme Ltd. sells them."),
    _case("company at the end", "English", "She joined Brill Inc.", "It was her first job."),
    _case("two companies", "English", "She left Brill Inc.", "Orme hired her the next day."),
    _case("country inside", "English", "The U.S. Navy came.", "The U.K. Parliament sat."),
    _case("country at the end", "English", "He lives in the U.S.", "She lives in Peru."),
    _case("time inside", "English", "Come at 9 a.m. sharp.", "We close at 5 p.m. on Fridays."),
    _case("time at the end", "English", "We close at 5 p.m.", "The bell rings first."),
    _case("time, then a name", "English", "The shop closes at 5 p.m.", "Hannah locks the door."),
    _case("degree", "English", "Ana holds a Ph.D. in physics.", "Her sister has an M.D. from Oslo."),
    _case("month", "English", "It opens on Jan. 5 and closes on Sept. 9.", "Oct. is free."),
    _case("decimal and price", "English", "Pi is 3.14159 and tea is $2.50.", "Cake is 4."),
    _case("version", "English", "Version 2.1.0 is out.", "It needs Python 3.11.", "Read on."),
    _case("year at the end", "English", "They met in 1999.", "Letters followed."),
    _case("web address", "English", "See https://example.org/a.b?c=d!e for more.", "Or www.example.org.", "Bye."),
    _case("email", "English", "Write to j.doe@mail.example.com.", "She answers."),
    _case("file name", "English", "Open config.yaml and set.up.py first.", "Then run it."),
    _case("no space after a period", "English", "The end.Next came nothing."),
    _case("ellipsis goes on", "English", "He waited... and then he left.", "Nobody saw."),
    _case("ellipsis ends", "English", "He waited...", "Nobody came."),
    _case("ellipsis and I", "English", "Well... I can try."),
    _case("spaced ellipsis", "English", "He waited . . . and left.", "Nobody saw."),
    _case("quotation goes on", "English", '"Is it far?" asked the child.', '"No," she said.'),
    _case("quotation, name, verb", "English", "“Run!” Mara shouted.", "They ran."),
    _case("quotation ends", "English", "He said, “It is late.”", "They left."),
    _case("single quotes", "English", "She wrote ‘Never again.’", "She meant it."),
    _case("brackets inside", "English", "It rained (as always!) and we stayed.", "So it goes."),
    _case("brackets around", "English", "It rained.", "(It always does.)", "We stayed."),
    _case("mark in brackets", "English", "He paid (!) Boris for it.", "Nobody knows why."),
    _case("several marks", "English", "What?!", "No!!!", "Are you sure??", "Yes."),
    _case("name with a mark", "English", "Yahoo! was once large.", "It shrank."),
    _case("mark inside a title", "English", "We watched Mamma Mia! Tuesday night.", "It was fun."),
    _case("small letters", "English", "what is this?", "i have no idea.", "ask someone."),
    _case("name in small letters", "English", "I sold my phone.", "iPads are next."),
    _case("number starts", "English", "They came early.", "20 of them stayed."),
    _case("footnote mark", "English", "It was proven.[12]", "Nobody doubts it."),
    _case("emphasis", "English", "**It works.**", "_Really._", "Try `x.y` now."),
    _case("list in a line", "English", "1. Open it.", "2. Close it.", "3. Done."),
    _case("vitamin", "English", "Take vitamin C.", "Pavel does."),
    _case("street", "English", "They live on Elm St. near the park.", "He lives on Oak St.", "Pines grow there."),
    _case("wrapped lines", "English", "The first line\ngoes on here.", "The second\nends.", gap="\n"),
    _case("blank line", "English", "A title without a stop", "A paragraph", gap="\n\n"),
    _case("blank line with spaces", "English", "One", "Two", gap="\r\n \t\r\n"),
    # --- Markdown --------------------------------------------------------------------------------------------
    _case("heading", "Markdown", "# What is it? A guide", "It is a tool.", "Use it.", gap="\n"),
    _case("underlined heading", "Markdown", "What is it?\n===========", "A tool.", "Use it.", gap="\n"),
    _case("list", "Markdown", "Buy:", "- milk", "* bread, fresh", "1. eggs", "2) salt", gap="\n"),
    _case("wrapped list item", "Markdown", "- One thing\n  and more.", "Then this.", "- Two", gap="\n"),
    _case("number at a wrap", "Markdown", "The total was\n15.", "Then he left.", gap=" "),
    _case("table", "Markdown", "| a. B | c |", "|---|---|", "| d. E | f |", "After it.", gap="\n"),
    _case("code", "Markdown", "Run:", "```", "x = f(1). Y", "y = x", "```", "Done.", gap="\n"),
    _case("quotation block", "Markdown", "> One two\n> three.", "Four.", "An answer.", gap="\n"),
    # --- East Asian ------------------------------------------------------------------------------------------
    _case("three marks", "Chinese", "一。", "二！", "三？", gap=""),
    _case("Chinese", "Chinese", "今天下雨了。", "我们没有出门，在家看书。", "你呢？", gap=""),
    _case("Chinese quotation ends", "Chinese", "他说：“我不去。”", "大家都走了。", gap=""),
    _case("Chinese quotation goes on", "Chinese", "“你去哪儿？”她问。", "没有人回答。", gap=""),
    _case("Chinese ASCII marks", "Chinese", "你好!", "你是谁?", "我叫小明。", gap=""),
    _case("Chinese ellipsis", "Chinese", "我想……还是算了吧。", "走吧。", gap=""),
    _case("Chinese decimal", "Chinese", "价格是３．５元。", "很便宜。", gap=""),
    _case("Japanese", "Japanese", "雨が降った。", "傘がない！", "どうしよう？", gap=""),
    _case("Japanese quotation", "Japanese", "「止まれ！」と彼は叫んだ。", "誰も止まらなかった。", gap=""),
    _case("Japanese brackets", "Japanese", "駅まで歩いた（雨だった。）", "店は閉まっていた。", gap=""),
    _case("Japanese two quotations", "Japanese", "「行くの？」", "「行かない。」", gap=""),
    _case("Korean", "Korean", "비가 왔다.", "우리는 집에 있었다.", "너는 어디 갔니?", "몰라!"),
    _case("Korean quotation", "Korean", '"가자!"라고 그가 말했다.', "모두 일어났다."),
    _case("Korean short answer", "Korean", "네.", "그렇습니다."),
    # --- Right to left ---------------------------------------------------------------------------------------
    _case("Arabic", "Arabic", "هل أنت جاهز؟", "نعم، أنا جاهز.", "هيا بنا!"),
    _case("Arabic quotation", "Arabic", "قال: «لن أذهب اليوم.»", "ثم جلس."),
    _case("Arabic doctor", "Arabic", "وصل د. سامي مبكرا.", "ثم غادر."),
    _case("Urdu", "Urdu", "یہ کتاب میری ہے۔", "کیا تم پڑھو گے؟", "ہاں۔"),
    _case("Hebrew", "Hebrew", "הגשם ירד.", "איפה היית?", "בבית."),
    # --- Indic and Southeast Asian ---------------------------------------------------------------------------
    _case("Hindi", "Hindi", "आज बारिश हुई।", "हम घर पर रहे।", "तुम कहाँ थे?"),
    _case("Hindi doctor", "Hindi", "डॉ. मेहता आए।", "सब खुश हुए।"),
    _case("Thai, one sentence", "Thai", "วันนี้ฝนตกหนักมาก"),
    _case("Thai, two sentences", "Thai", "วันนี้ฝนตก", "เราอยู่บ้านทั้งวัน"),
    _case("Burmese", "Burmese", "မိုးရွာသည်။", "အိမ်မှာနေသည်။", gap=""),
    _case("Khmer", "Khmer", "ថ្ងៃនេះភ្លៀង។", "យើងនៅផ្ទះ។"),
    _case("Amharic", "Amharic", "ዛሬ ዘነበ።", "ቤት ቆየን።"),
    _case("Armenian", "Armenian", "Անձրև եկավ։", "Մենք տանը մնացինք։"),
    # --- European --------------------------------------------------------------------------------------------
    _case("Russian", "Russian", "Шёл дождь.", "Где ты был?", "Дома."),
    _case("Russian abbreviations", "Russian", "А. С. Пушкин жил на ул. Мойки, т. е. у реки.", "Это было давно."),
    _case("Russian dialogue", "Russian", "— Стой! — крикнул он.", "Никто не остановился."),
    _case("Russian etc.", "Russian", "Там были яблоки, груши и т. д.", "Потом всё убрали."),
    _case("Greek", "Greek", "Πού ήσουν;", "Έβρεχε όλη μέρα.", "Μείναμε σπίτι."),
    _case("Spanish", "Spanish", "¿Dónde estabas?", "¡Llueve!", "El Sr. Ruiz se quedó en casa."),
    _case("Spanish aside", "Spanish", "—¡Basta! —dijo ella.", "Nadie contestó."),
    _case("German z. B.", "German", "Viele Tiere, z. B. Hunde, schlafen viel.", "Katzen auch."),
    _case("German d. h.", "German", "Er kommt morgen, d. h. am Freitag.", "Wir warten."),
    _case("German date", "German", "Am 3. Oktober ist frei.", "Am 4. November nicht."),
    _case("German ordinal", "German", "Das war im 2. Weltkrieg.", "Danach kam der Frieden."),
    _case("German quotation", "German", "Er rief: „Halt!“", "Niemand hielt an."),
    _case("German guillemets", "German", "Sie ging.", "»Komm zurück!«, rief er.", "Sie kam nicht."),
    _case("French", "French", "« Où vas-tu ? » demanda-t-il.", "Elle ne répondit pas."),
    _case("French end of quotation", "French", "Il cria : « Attention ! »", "Elle s’arrêta."),
    _case("French M.", "French", "M. Dupont est parti.", "Mme Roche est restée."),
    _case("Portuguese", "Portuguese", "O Dr. Silva chegou às 9h.", "Ninguém o viu."),
    _case("Polish", "Polish", "Spotkali się o godz. 9 rano.", "Potem wyszli."),
    # --- Emoji and mixtures ----------------------------------------------------------------------------------
    _case("emoji after a mark", "emoji", "Great job! 🎉", "See you soon. 👋🏽", "Bye."),
    _case("emoji alone ends", "emoji", "I love it 😍", "Thanks a lot 🙏"),
    _case("emoji inside", "emoji", "The 👨‍👩‍👧 family 🇩🇪 came.", "They left."),
    _case("mark with a variation selector", "emoji", "Wait⁉️", "No."),
    _case("Chinese and English", "mixed", "我用Python 3.11写代码。", "It works well.", "很好！", gap=""),
    _case("English and Japanese", "mixed", "He said 「行こう。」", "Then he left."),
    _case("no-break space", "mixed", "One.", "Two.", gap="\xa0"),
    _case("line separator", "mixed", "One two.", "Three.", gap="\u2028"),
    _case("paragraph separator", "mixed", "One", "Two", gap="\u2029"),
)

# Each needs to know what words mean, a language that we have no list for, or a mark that is not there.
KNOWN_WRONG: dict[str, tuple[str, ...]] = {
    "two companies": ("She left Brill Inc. Orme hired her the next day.",),
    "mark inside a title": ("We watched Mamma Mia!", "Tuesday night.", "It was fun."),
    "vitamin": ("Take vitamin C. Pavel does.",),
    "street": ("They live on Elm St. near the park.", "He lives on Oak St. Pines grow there."),
    "Thai, two sentences": ("วันนี้ฝนตก เราอยู่บ้านทั้งวัน",),
    "Russian etc.": ("Там были яблоки, груши и т. д. Потом всё убрали.",),
    "Polish": ("Spotkali się o godz.", "9 rano.", "Potem wyszli."),
    "emoji alone ends": ("I love it 😍 Thanks a lot 🙏",),
    "Chinese and English": ("我用Python 3.11写代码。", "It works well.很好！"),
}
