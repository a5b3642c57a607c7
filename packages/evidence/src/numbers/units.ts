/** Units, each with the ways in which it is written. */
const UNITS: Record<string, string> = {
  percent:
    '%|٪|percent|per cent|prozent|pour cent|por ciento|por cento|per cento|procent|процент|процента|процентов|パーセント|퍼센트|百分之|प्रतिशत|بالمئة|في المئة',
  percentagepoint:
    'percentage point|percentage points|percentage-point|prozentpunkt|prozentpunkte|prozentpunkten|point de pourcentage|points de pourcentage|punto porcentual|puntos porcentuales|ponto percentual|pontos percentuais|punti percentuali|процентный пункт|процентных пункта|процентных пунктов|パーセントポイント|ポイント|퍼센트포인트|퍼센트 포인트|%포인트|포인트|百分点|प्रतिशत अंक|نقطة مئوية|نقاط مئوية',
  basispoint: 'basis point|basis points|bps|basispunkt|basispunkte|basispunkten|points de base|puntos básicos',
  euro: '€|eur|euro|euros|евро|ユーロ|유로|欧元|歐元|यूरो|يورو',
  dollar:
    '$|us$|usd|dollar|dollars|dólar|dólares|dollari|доллар|доллара|долларов|ドル|달러|美元|美金|डॉलर|دولار|دولارات',
  pound: '£|gbp|pound|pounds|pfund|libra|libras|livres|sterline|фунт|фунта|фунтов|ポンド|파운드|英镑|英鎊|पाउंड',
  yen: '¥|jpy|yen|иен|иены|円|엔|日元',
  yuan: 'cny|rmb|yuan|юаней|юаня|元|위안|人民币',
  won: '₩|krw|won|원',
  rupee: '₹|inr|rupee|rupees|रुपये|रुपए|रुपया|रुपयों',
  ruble: '₽|rub|ruble|rubles|rouble|roubles|рубль|рубля|рублей|руб',
  franc: 'chf|franc|francs|franken|francos|franchi|франков|フラン|프랑|法郎',
  peso: 'mxn|peso|pesos|ペソ|페소|比索',
  krona: 'sek|nok|dkk|krona|kronor|krone|kroner|kronen|クローナ|クローネ|크로나|크로네',
  cents: 'cents|céntimos|centimes|centavos|セント|센트',
  degree:
    '°c|°f|°|degree|degrees|degrees celsius|grad|grad celsius|degré|degrés|grado|grados|grau|graus|gradi|градус|градуса|градусов|度|도|डिग्री|درجة|درجات',
  kilometre:
    'km|kilometer|kilometers|kilometre|kilometres|kilomètre|kilomètres|kilómetro|kilómetros|quilômetro|quilômetros|quilómetros|chilometri|км|километр|километра|километров|キロメートル|킬로미터|公里|千米|किलोमीटर|كيلومتر',
  mile: 'mile|miles|meile|meilen|milla|millas|milha|milhas|миля|мили|миль|マイル|마일|英里|मील|ميل',
  foot: 'ft|foot|feet|pieds|フィート|피트|英尺|फ़ुट|قدم',
  inch: 'inch|inches|zoll|pulgada|pulgadas|polegadas|インチ|인치|英寸|इंच|بوصة',
  centimetre:
    'cm|centimeter|centimeters|centimetre|centimetres|zentimeter|centimètre|centimètres|centímetro|centímetros|センチ|センチメートル|센티미터|厘米|सेंटीमीटर',
  millimetre:
    'mm|millimeter|millimeters|millimetre|millimetres|millimètre|millimètres|milímetro|milímetros|ミリ|ミリメートル|밀리미터|毫米',
  metre:
    'm|meter|meters|metern|metre|metres|mètre|mètres|metro|metros|metri|м|метр|метра|метров|メートル|미터|米|मीटर|متر|مترا',
  kilogram:
    'kg|kilo|kilos|kilogram|kilograms|kilogramm|kilogramme|kilogrammes|kilogramo|kilogramos|quilo|quilos|chili|кг|килограмм|килограмма|килограммов|キログラム|킬로그램|公斤|千克|किलोग्राम|किलो|كيلوغرام',
  gram: 'g|gram|grams|gramm|gramme|grammes|gramo|gramos|グラム|그램|ग्राम',
  litre: 'liter|liters|litre|litres|litern|litro|litros|литров|リットル|리터|लीटर',
  tonne: 't|ton|tons|tonne|tonnes|tonnen|tonelada|toneladas|tonnellate|тонна|тонны|тонн|トン|톤|吨|噸|टन|طن',
  hour: 'h|hour|hours|stunde|stunden|heure|heures|hora|horas|ora|ore|час|часа|часов|時間|시간|小时|小時|घंटे|घंटा|घंटों|ساعة|ساعات',
  minute: 'min|minute|minutes|minuten|minuto|minutos|minuti|минута|минуты|минут|分|分間|분|分钟|分鐘|मिनट|دقيقة|دقائق',
  second:
    's|sec|second|seconds|sekunde|sekunden|seconde|secondes|segundo|segundos|secondi|секунда|секунды|секунд|秒|초|सेकंड|ثانية|ثوان',
  day: 'day|days|tag|tage|tagen|jour|jours|día|días|dia|dias|giorno|giorni|день|дня|дней|日|日間|일|天|दिन|يوم|أيام',
  week: 'week|weeks|woche|wochen|semaine|semaines|semana|semanas|settimana|settimane|неделя|недели|недель|週間|週|주|周|हफ्ते|सप्ताह|أسبوع|أسابيع',
  month:
    'month|months|monat|monate|monaten|mois|mes|meses|mês|mesi|месяц|месяца|месяцев|か月|ヶ月|개월|个月|個月|महीने|महीना|شهر|أشهر',
  decade: 'decade|decades|jahrzehnt|jahrzehnte|jahrzehnten|décennie|décennies|década|décadas',
  century: 'century|centuries|jahrhundert|jahrhunderte|jahrhunderten|siècle|siècles|siglo|siglos|século|séculos',
  year: 'year|years|jahr|jahre|jahren|ans|année|années|año|años|ano|anos|anno|anni|год|года|лет|年|年間|년|साल|वर्ष|سنة|عام|سنوات',
}

const escapePattern = (text: string): string => text.replace(/[$.*+?^(){}|[\]\\]/g, '\\$&')
const LETTER = String.raw`[\p{L}\p{M}]`
const IS_SPACED = /[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Devanagari}\p{sc=Arabic}]/u

const NAMES = new Map(
  Object.entries(UNITS).flatMap(([name, aliases]) =>
    aliases.split('|').map((alias): [string, string] => [alias, name]),
  ),
)
/** Matches any of the aliases, the longest one first. */
const anyOf = (aliases: string[]): string =>
  aliases
    .sort((a, b) => b.length - a.length)
    .map(escapePattern)
    .join('|')

/** Matches aliases; as whole words, in scripts that separate words. */
const ALIASES = new RegExp(
  [
    // Checked once for all of them: each check takes part of the start of every process.
    `(?<!${LETTER})(?:${anyOf([...NAMES.keys()].filter((alias) => IS_SPACED.test(alias)))})(?!${LETTER})`,
    anyOf([...NAMES.keys()].filter((alias) => !IS_SPACED.test(alias))),
  ].join('|'),
  'gu',
)

/** Returns a text in lower case in which every unit has one name, whatever its language: `30 %` and `30 percent` are the same. */
export const nameUnits = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(ALIASES, (alias) => ` ${NAMES.get(alias) ?? alias} `)

/** Tells whether a word is the name of a unit, as `nameUnits` gives it. */
export const isUnit = (word: string): boolean => Object.hasOwn(UNITS, word)
