/**
 * `npm start`, recorded in a terminal of 60 columns: what it printed before, during and after the walk. A frame is the line
 * of progress, written every 100 ms.
 */
export const before: ReadonlyArray<string> = [
  "  service    http://127.0.0.1:35685",
  "             started for this demo, with sample data;",
  "             slow on purpose, and 1 request in 20 fails",
  "  program    contacts.items({ prefetch: 2 })"
]

export const frames: ReadonlyArray<string> = [
  "⠋ ░░░░░░░░░░░░░░░░░  0 of 10,000 contacts · 0 pages · 0/s",
  "⠹ ░░░░░░░░░░░░░░  100 of 10,000 contacts · 1 page · 420/s",
  "⠸ ░░░░░░░░░░░  400 of 10,000 contacts · 4 pages · 1,176/s",
  "⠼ █░░░░░░░░░░  700 of 10,000 contacts · 7 pages · 1,587/s",
  "⠴ █░░░░░░░░░  1,100 of 10,000 contacts · 11 pages · 0.5 s",
  "⠦ █░░░░░░░░░  1,400 of 10,000 contacts · 14 pages · 0.6 s",
  "⠏ ██░░░░░░░░  1,900 of 10,000 contacts · 19 pages · 0.9 s",
  "⠋ ██░░░░░░░░  2,200 of 10,000 contacts · 22 pages · 1.0 s",
  "⠙ ███░░░░░░░  2,500 of 10,000 contacts · 25 pages · 1.1 s",
  "⠹ ███░░░░░░░  3,000 of 10,000 contacts · 30 pages · 1.2 s",
  "⠸ ████░░░░░░░░░  3,100 of 10,000 contacts · waiting 1.0 s",
  "⠼ ████░░░░░░░░░  3,100 of 10,000 contacts · waiting 1.0 s",
  "⠴ ████░░░░░░░░░  3,100 of 10,000 contacts · waiting 1.0 s",
  "⠦ ████░░░░░░░░░  3,100 of 10,000 contacts · waiting 1.0 s",
  "⠧ ████░░░░░░░░░  3,100 of 10,000 contacts · waiting 1.0 s",
  "⠇ ████░░░░░░░░░  3,100 of 10,000 contacts · waiting 1.0 s",
  "⠏ ████░░░░░░░░░  3,100 of 10,000 contacts · waiting 1.0 s",
  "⠋ ████░░░░░░░░░  3,100 of 10,000 contacts · waiting 1.0 s",
  "⠙ ████░░░░░░░░░  3,100 of 10,000 contacts · waiting 1.0 s",
  "⠹ ███░░░░░░░  3,100 of 10,000 contacts · 31 pages · 2.3 s",
  "⠸ ███░░░░░░░  3,300 of 10,000 contacts · 33 pages · 2.4 s",
  "⠴ ████░░░░░░  3,700 of 10,000 contacts · 37 pages · 2.5 s",
  "⠦ ████░░░░░░  4,000 of 10,000 contacts · 40 pages · 2.6 s",
  "⠧ ████░░░░░░  4,200 of 10,000 contacts · 42 pages · 2.7 s",
  "⠇ █████░░░░░  4,500 of 10,000 contacts · 45 pages · 2.8 s",
  "⠏ █████░░░░░  4,700 of 10,000 contacts · 47 pages · 2.9 s",
  "⠋ █████░░░░░  5,000 of 10,000 contacts · 50 pages · 3.0 s",
  "⠙ ███████░░░░░░  5,000 of 10,000 contacts · waiting 0.2 s",
  "⠹ ███████░░░░░░  5,000 of 10,000 contacts · waiting 0.2 s",
  "⠸ █████░░░░░  5,300 of 10,000 contacts · 53 pages · 3.3 s",
  "⠼ ██████░░░░  5,500 of 10,000 contacts · 55 pages · 3.4 s",
  "⠴ ██████░░░░  5,800 of 10,000 contacts · 58 pages · 3.5 s",
  "⠦ ██████░░░░  6,000 of 10,000 contacts · 60 pages · 3.6 s",
  "⠧ ██████░░░░  6,400 of 10,000 contacts · 64 pages · 3.7 s",
  "⠇ ███████░░░  6,600 of 10,000 contacts · 66 pages · 3.8 s",
  "⠏ █████████░░░░  6,600 of 10,000 contacts · waiting 0.2 s",
  "⠋ ███████░░░  6,600 of 10,000 contacts · 66 pages · 4.0 s",
  "⠙ ███████░░░  6,900 of 10,000 contacts · 69 pages · 4.1 s",
  "⠹ ███████░░░  7,200 of 10,000 contacts · 72 pages · 4.2 s",
  "⠸ ████████░░  7,500 of 10,000 contacts · 75 pages · 4.3 s",
  "⠼ ████████░░  7,900 of 10,000 contacts · 79 pages · 4.4 s",
  "⠴ ████████░░  8,300 of 10,000 contacts · 83 pages · 4.5 s",
  "⠦ █████████░  8,700 of 10,000 contacts · 87 pages · 4.7 s",
  "⠧ █████████░  9,100 of 10,000 contacts · 91 pages · 4.8 s",
  "⠇ ██████████  9,500 of 10,000 contacts · 95 pages · 4.9 s",
  "⠏ ██████████  9,900 of 10,000 contacts · 99 pages · 5.0 s"
]

export const after: ReadonlyArray<string> = [
  "  items      10,000, each exactly once",
  "             8,810 of them subscribed",
  "  pages      100",
  "  requests   103",
  "  retries    3, after waiting 1.4 s in total",
  "  time       5.0 s, 2,003 contacts per second"
]
