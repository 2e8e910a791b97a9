/** The words that sample data is made of. First and last names are grouped by language. */
export const people: ReadonlyArray<{
  readonly first: ReadonlyArray<string>
  readonly last: ReadonlyArray<string>
}> = [
  {
    first: ["Olivia", "Liam", "Amelia", "Noah", "Steve", "Grace", "Ada", "Jean-Luc", "Mary Ann", "Alan"],
    last: ["Smith", "O'Brien", "Wozniak", "Hopper", "Lovelace", "Taylor-Jones", "Baker", "van Dyke", "McKay", "Turing"]
  },
  {
    first: ["José", "María", "Ángel", "Zoë", "François", "Chloé", "João", "Inês", "Nuño", "Lucía"],
    last: ["García", "Núñez", "Muñoz", "Gonçalves", "Lefèvre", "Araújo", "Peña", "Ibáñez", "Côté", "Ferrão"]
  },
  {
    first: ["Jürgen", "Käthe", "Søren", "Åsa", "Łukasz", "Zofia", "Ägir", "Þóra", "Jiří", "Žaneta"],
    last: ["Müller", "Weiß", "Østergård", "Ångström", "Wałęsa", "Kowalska", "Jónsdóttir", "Dvořák", "Šimůnek", "Groß"]
  },
  {
    first: ["Мария", "Иван", "Олена", "Дмитрий", "Светлана", "Андрій"],
    last: ["Иванова", "Петров", "Шевченко", "Кузнецов", "Соколова", "Коваленко"]
  },
  {
    first: ["伟", "芳", "秀英", "敏", "静", "磊"],
    last: ["王", "李", "张", "刘", "陈", "欧阳"]
  },
  {
    first: ["さくら", "陽菜", "蓮", "大翔", "結衣", "健太"],
    last: ["佐藤", "鈴木", "高橋", "田中", "渡辺", "伊藤"]
  },
  {
    first: ["محمد", "فاطمة", "أحمد", "عائشة", "يوسف", "مريم"],
    last: ["الهاشمي", "النجار", "حداد", "الخطيب", "منصور", "العلي"]
  },
  {
    first: ["अमित", "प्रिया", "राहुल", "अनीता", "मीरा", "विक्रम"],
    last: ["शर्मा", "पटेल", "गुप्ता", "सिंह", "नायर", "देसाई"]
  },
  {
    first: ["Νίκος", "Ελένη", "Γιώργος", "Μαρία"],
    last: ["Παπαδόπουλος", "Νικολάου", "Βλάχος", "Οικονόμου"]
  },
  {
    first: ["민준", "서연", "지훈", "수빈"],
    last: ["김", "이", "박", "최"]
  }
]

export const companies: ReadonlyArray<string> = [
  "acme",
  "globex",
  "initech",
  "umbrella",
  "hooli",
  "stark",
  "wayne",
  "wonka",
  "cyberdyne",
  "tyrell",
  "aperture",
  "monarch"
]

export const mailDomains: ReadonlyArray<string> = ["example.com", "example.org", "example.net", "mail.example"]

export const subjects: ReadonlyArray<string> = [
  "Your receipt",
  "Welcome aboard",
  "Reset your password",
  "Rechnung für März",
  "Votre commande est arrivée",
  "お知らせ",
  "Новости недели",
  "Re: Meeting notes",
  "Fwd: \"Quarterly\" numbers, 100 % final \\ v2",
  "🎉 You are in!"
]

export const themes: ReadonlyArray<string> = [
  "Product news",
  "Weekly digest",
  "Security alerts",
  "Beta programme",
  "Événements",
  "Angebote",
  "お得な情報",
  "Engineering blog",
  "Community",
  "Onboarding"
]

export const files: ReadonlyArray<{ readonly name: string | null; readonly type: string }> = [
  { name: "invoice.pdf", type: "application/pdf" },
  { name: "photo.jpeg", type: "image/jpeg" },
  { name: "レポート.xlsx", type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" },
  { name: "logo.svg", type: "image/svg+xml" },
  { name: "notes, final (1).txt", type: "text/plain" },
  { name: null, type: "application/octet-stream" }
]
