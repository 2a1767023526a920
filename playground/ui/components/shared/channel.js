// The WebSocket to the core: one request of a kind in flight, the newest waits, and it comes back by itself.

const SLOWEST_RETRY = 5000;
const ANSWER_WITHIN = 15000;

export class Channel {
  /**
   * @param {URL} url where the socket is
   * @param {(status: "live" | "connecting" | "down") => void} onStatus told of every change
   */
  constructor(url, onStatus) {
    this.url = url;
    this.onStatus = onStatus;
    this.sequence = 0;
    this.waiting = new Map(); // kind -> the newest request that was not sent yet
    this.flying = new Map(); // kind -> the request whose answer is awaited
    this.retry = 250;
    this.status = "connecting";
    this.wake = () => document.visibilityState === "visible" && this.status !== "live" && this.connect();
    document.addEventListener("visibilitychange", this.wake);
    window.addEventListener("online", this.wake);
    this.connect();
  }

  /** Send `request` unless a newer one of its kind comes first; `onAnswer` gets the answer and the timing. */
  ask(kind, request, onAnswer) {
    this.waiting.set(kind, { request, onAnswer, asked: performance.now() });
    this.pump();
  }

  /** Whether nothing of this kind waits or is in flight: the last answer was to the newest request. */
  isIdle(kind) {
    return !this.waiting.has(kind) && !this.flying.has(kind);
  }

  connect() {
    clearTimeout(this.timer);
    if (this.closed || (this.socket && this.socket.readyState <= WebSocket.OPEN)) return;
    this.say("connecting");
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => {
      this.retry = 250;
      this.say("live");
      this.pump();
    };
    socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    socket.onclose = () => socket === this.socket && this.lost();
  }

  lost() {
    // What was in flight is asked again, unless something newer waits already.
    for (const [kind, entry] of this.flying) if (!this.waiting.has(kind)) this.waiting.set(kind, entry);
    this.flying.clear();
    clearTimeout(this.late);
    if (this.closed) return;
    this.say("down");
    this.timer = setTimeout(() => this.connect(), this.retry);
    this.retry = Math.min(this.retry * 2, SLOWEST_RETRY);
  }

  pump() {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    for (const [kind, entry] of this.waiting) {
      if (this.flying.has(kind)) continue;
      this.waiting.delete(kind);
      this.flying.set(kind, entry);
      entry.seq = ++this.sequence;
      entry.sent = performance.now();
      this.socket.send(JSON.stringify({ ...entry.request, kind, seq: entry.seq }));
      clearTimeout(this.late);
      this.late = setTimeout(() => this.socket.close(), ANSWER_WITHIN);
    }
  }

  receive(answer) {
    for (const [kind, entry] of this.flying) {
      if (entry.seq !== answer.seq) continue;
      this.flying.delete(kind);
      if (!this.flying.size) clearTimeout(this.late);
      if (!answer.superseded) entry.onAnswer(answer, entry);
    }
    this.pump();
  }

  say(status) {
    if (status !== this.status) this.onStatus((this.status = status));
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.late);
    document.removeEventListener("visibilitychange", this.wake);
    window.removeEventListener("online", this.wake);
    this.socket.close();
  }
}
