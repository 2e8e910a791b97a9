/** The words that sample data is made of. */

/** First and last names, by language. */
export const people: ReadonlyArray<readonly [first: ReadonlyArray<string>, last: ReadonlyArray<string>]> = [
  [["Olivia", "Ada", "Jean-Luc", "Mary Ann", "Alan"], ["Smith", "O'Brien", "Taylor-Jones", "van Dyke", "McKay"]],
  [["José", "Zoë", "François", "Inês", "Nuño"], ["García", "Núñez", "Gonçalves", "Lefèvre", "Côté"]],
  [["Jürgen", "Søren", "Åsa", "Łukasz", "Þóra"], ["Weiß", "Østergård", "Wałęsa", "Jónsdóttir", "Dvořák"]],
  [["Мария", "Иван", "Олена", "Андрій"], ["Иванова", "Петров", "Шевченко", "Коваленко"]],
  [["伟", "芳", "秀英", "敏"], ["王", "李", "张", "欧阳"]],
  [["さくら", "陽菜", "蓮", "健太"], ["佐藤", "鈴木", "高橋", "渡辺"]],
  [["محمد", "فاطمة", "أحمد", "عائشة"], ["الهاشمي", "النجار", "حداد", "الخطيب"]],
  [["अमित", "प्रिया", "राहुल", "मीरा"], ["शर्मा", "पटेल", "गुप्ता", "सिंह"]],
  [["Νίκος", "Ελένη", "Γιώργος", "Μαρία"], ["Παπαδόπουλος", "Νικολάου", "Βλάχος", "Οικονόμου"]],
  [["민준", "서연", "지훈", "수빈"], ["김", "이", "박", "최"]]
]

export const companies: ReadonlyArray<string> = ["acme", "globex", "initech", "umbrella", "hooli", "wonka", "aperture"]

export const mailDomains: ReadonlyArray<string> = ["example.com", "example.org", "example.net", "mail.example"]

export const subjects: ReadonlyArray<string> = [
  "Your receipt",
  "Welcome aboard",
  "Rechnung für März",
  "Votre commande est arrivée",
  "お知らせ",
  "Новости недели",
  "Fwd: \"Quarterly\" numbers, 100 % final \\ v2",
  "🎉 You are in!"
]

export const themes: ReadonlyArray<string> = ["Product news", "Weekly digest", "Événements", "Angebote", "お得な情報"]

export const files: ReadonlyArray<{ readonly name: string | null; readonly type: string }> = [
  { name: "invoice.pdf", type: "application/pdf" },
  { name: "photo.jpeg", type: "image/jpeg" },
  { name: "レポート.xlsx", type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" },
  { name: "logo.svg", type: "image/svg+xml" },
  { name: "notes, final (1).txt", type: "text/plain" },
  { name: null, type: "application/octet-stream" }
]
