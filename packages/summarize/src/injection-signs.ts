/**
 * Phrases that are typical of instructions to a language model. None of them is proof: talks about models, rules and computers
 * use the same words. One `clear` sign is enough; an `order` needs a sign of another kind close to it; `topic` signs alone
 * never are.
 */
interface Signs {
  clear: Sign[]
  /** One sign per kind: two matches of one kind count once. */
  order: Sign[]
  topic: Sign[]
}

export interface Sign {
  pattern: RegExp
  /** Occurs in every text that the pattern matches, and is several times cheaper to search for. */
  stem?: RegExp
}

/** Matches any of the patterns in a text in NFKC and lower case, with single spaces. */
const anyOf = (...patterns: string[]): RegExp =>
  new RegExp(patterns.map((pattern) => `(?:${pattern.normalize('NFKC')})`).join('|'), 'gu')

const sign = (...patterns: string[]): Sign => ({ pattern: anyOf(...patterns) })

/** Stems with which a language speaks of instructions, as alternatives of a regular expression. `\b` only knows ASCII. */
interface LanguageStems {
  /** To ignore, forget or override. */
  ignore: string
  /** Previous, above. */
  earlier: string
  /** Instructions, rules, orders. */
  rules: string
  /** The system prompt. */
  prompt: string
}

const LANGUAGES: LanguageStems[] = [
  {
    ignore: String.raw`(?<!\p{L})(?:ignorier|vergiss|vergesst|missacht|überschreib)\p{L}*`,
    earlier: 'bisherig|vorherig|vorangehend|vorangegangen|vorig|obig|früher',
    rules: 'anweisung|regel|vorgabe|befehl|instruktion',
    prompt: 'system-?prompt|systemanweisung|systemnachricht|systemmeldung',
  },
  {
    ignore: String.raw`(?<!\p{L})(?:ignor[ae]|olvid|descart|haz caso omiso)\p{L}*`,
    earlier: 'anterior|previa',
    rules: 'instrucci|órden|orden|regla|indicaci',
    prompt: 'prompt del? sistema|mensaje del? sistema',
  },
  {
    ignore: String.raw`(?<!\p{L})(?:ignor|oubli|néglig)\p{L}*`,
    earlier: 'précédent|antérieur|ci-dessus',
    rules: 'instruction|consigne|règle|directive',
    prompt: 'prompt système|message (?:du )?système|invite système|instructions? système|vos consignes|tes consignes',
  },
  {
    ignore: String.raw`(?<!\p{L})(?:ignor[ea]|esque[çc]|desconsider)\p{L}*`,
    earlier: 'anterior|prévia|acima',
    rules: 'instruç|ordem|ordens|regra|orientaç',
    prompt: 'prompt d[oe] sistema|mensagem d[oe] sistema|regras secretas',
  },
  {
    ignore: String.raw`(?<!\p{L})(?:ignor[ai]|dimentic|trascur)\p{L}*`,
    earlier: 'precedent|di cui sopra',
    rules: 'istruzion|regol|ordin|indicazion',
    prompt: 'prompt (?:di|del) sistema|messaggio (?:di|del) sistema',
  },
  {
    ignore: String.raw`(?<!\p{L})(?:negeer|vergeet)(?!\p{L})`,
    earlier: 'vorige|voorgaande|eerdere|bovenstaande',
    rules: 'instructie|regel|opdracht',
    prompt: 'systeem-?prompt|systeembericht',
  },
  {
    ignore: 'ignoruj|zapomnij|pomiń',
    earlier: 'poprzedni|wcześniejsz|powyższ',
    rules: 'instrukcj|polece|zasad|reguł',
    prompt: 'prompt(?:u|em)? systemow|komunikat systemow',
  },
  {
    ignore: 'yok say|görmezden gel|unut',
    earlier: 'önceki|yukarıdaki',
    rules: 'talimat|kural|komut',
    prompt: 'sistem istem|sistem prompt|sistem mesaj',
  },
  {
    ignore: 'игнорир|забуд|отброс|ігнору',
    earlier: 'предыдущ|прежн|ранее|выше|попередн',
    rules: 'инструкц|указан|правил|команд|інструкц|вказів',
    prompt: '(?<!\\p{L})системн\\p{L}{0,5} (?:промпт|подсказ|сообщен|инструкц|запит)|системні інструкц',
  },
  {
    ignore: '忽略|无视|無視|忘记|忘記|忘掉|不要理会',
    earlier: '之前|以前|以上|先前|前面|此前|上述',
    rules: '指令|指示|提示|规则|規則|说明|說明',
    prompt: '系统提示|系統提示|提示词|提示詞|系统消息',
  },
  {
    ignore: '無視|忘れ',
    earlier: '以前の|これまでの|今までの|上記の|前の',
    rules: '指示|命令|ルール|指令',
    prompt: 'システムプロンプト|システムメッセージ|プロンプトを',
  },
  {
    ignore: '무시|잊',
    earlier: '이전|앞선|위의|지금까지|기존',
    rules: '지시|명령|규칙|지침',
    prompt: '시스템 ?프롬프트|시스템 ?메시지|프롬프트를',
  },
  {
    ignore: 'अनदेखा|अनदेखी|नज़रअंदाज|भूल',
    earlier: 'पिछले|पहले के|ऊपर के|पूर्व',
    rules: 'निर्देश|आदेश|नियम',
    prompt: 'सिस्टम प्रॉम्प्ट|सिस्टम प्रोम्प्ट|सिस्टम संदेश',
  },
  {
    ignore: 'تجاهل|انس[َى]?(?= )|تجاوز',
    earlier: 'السابقة|أعلاه',
    rules: 'تعليمات|التعليمات|الأوامر|القواعد',
    prompt: 'رسالة النظام|موجه النظام|مطالبة النظام',
  },
  {
    ignore: 'התעלמ|התעלם|שכח',
    earlier: 'הקודמ|לעיל',
    rules: 'הוראות|כללים|הנחיות',
    prompt: 'הנחיית המערכת|הודעת המערכת|פרומפט',
  },
  {
    ignore: 'bỏ qua|phớt lờ|quên',
    earlier: 'trước',
    rules: 'hướng dẫn|chỉ dẫn|quy tắc|lệnh',
    prompt: 'lời nhắc hệ thống|prompt hệ thống',
  },
  {
    ignore: 'abaikan|lupakan',
    earlier: 'sebelumnya|di atas',
    rules: 'instruksi|perintah|aturan|arahan',
    prompt: 'prompt sistem|pesan sistem',
  },
  {
    ignore: 'ละเว้น|เพิกเฉย|ไม่ต้องสนใจ|ลืม',
    earlier: 'ก่อนหน้า',
    rules: 'คำสั่ง|คำแนะนำ|กฎ',
    prompt: 'พรอมต์ระบบ|ข้อความระบบ',
  },
]

/** Both word orders: some languages put the verb last. */
const ignoreRules = ({ ignore, rules }: LanguageStems): string[] => [
  `(?:${ignore}).{0,30}(?:${rules})`,
  `(?:${rules}).{0,20}(?:${ignore})`,
]
const ignoreEarlierRules = ({ ignore, earlier, rules }: LanguageStems): string[] => {
  const object = `(?:(?:${earlier}).{0,20}(?:${rules})|(?:${rules}).{0,15}(?:${earlier}))`
  return [`(?:${ignore}).{0,20}${object}`, `${object}.{0,20}(?:${ignore})`]
}

const PROMPT =
  '(?:(?:system|hidden|secret|initial|original|developer|internal) (?:prompts?|messages?|instructions?)|your (?:system |hidden |secret |initial |original |own |internal )?(?:prompt|instructions|configuration|guidelines|system message))'
const TELL =
  '(?:print|reveal|show|output|repeat|display|leak|give|quote|dump|translate|disclose|recite|tell|write|encode|include|say|copy|paste)'
/** The beginning of an order. */
const ORDER_START = String.raw`(?:^|[.!?,;:"'“”)\]>…] ?|\b(?:and|then|please|must|now|to|or) )`
const ANSWER = '(?:summary|summaries|answers?|response|responses|output|bullet|sentence)'
const MACHINE = '(?:ai|a\\.i\\.|assistant|language model|llm|summari[sz]er|chatgpt|claude|gpt|gemini|bot|chatbot)'
const OUR_TAG = '(?:transcript|video|focus|notes|chapter|before|document|system|instructions?)'
const EARLIER = '(?:previous|prior|above|earlier|preceding|foregoing|former|existing)'
const RULES = '(?:instructions?|prompts?|rules?|orders?|directions?|guidelines?|directives?|commands?)'
const IGNORE = '(?:ignore|ignoring|disregard|forget|override|bypass|neglect)'

const IGNORE_EARLIER_RULES = [
  String.raw`\b${IGNORE}\b (?:\S+ ){0,3}?${EARLIER}\b (?:\S+ ){0,2}?${RULES}\b`,
  String.raw`\b${IGNORE}\b (?:\S+ ){0,3}?(?:the )?${RULES} (?:above|before|so far)\b`,
  String.raw`\b${IGNORE}\b (?:all |any )?(?:of )?your (?:system |own |safety )?${RULES}\b`,
]

const ASK_FOR_PROMPT = [
  String.raw`${ORDER_START}${TELL}\b (?:\S+ ){0,4}?${PROMPT}\b`,
  String.raw`\b${TELL}\b (?:\S+ ){0,2}?your (?:system|hidden|secret|initial) (?:prompt|instructions|message)\b`,
  String.raw`\b(?:print|reveal|output|leak|dump|disclose|recite|translate) your (?:secret |hidden |own )?(?:prompt|instructions|rules)\b`,
  String.raw`\b(?:repeat|print|output|copy|translate|summarize) (?:everything|all the text|the text|the words|the rules|the lines) (?:above|so far)\b`,
]
const PROMPT_STEM = /prompt|message|instruction|configuration|guideline|rules|above|so far/

const MARKS = [
  // Chat templates, and the tags of our own prompt.
  String.raw`<\|? ?(?:im_start|im_end|endoftext|start_header_id|system\|)|\[\/?inst\]|<<\/?sys>>`,
  String.raw`[<‹] ?\/? ?${OUR_TAG} ?[>›]`,
  String.raw`\b(?:system|assistant|human|user) ?: ?[{[]`,
  '"role" ?: ?"system"',
  String.raw`\b(?:human|user) ?:.{0,120}\bassistant ?: ?\p{L}.{0,40}\b(?:sure|certainly|here|arr|of course)\b`,
  // Markup that runs or loads something when it is displayed.
  String.raw`< ?\/? ?(?:script|iframe|object|embed)\b[^<>]*>|< ?[a-z]+\b[^<>]*\son[a-z]+ ?=|< ?[a-z]+\b[^<>]*(?:javascript|data):`,
  String.raw`\]\( ?(?:https?:|javascript:|data:|mailto:)`,
]
const MARK_STEM = /[<‹[\]:"]/

/** Every language's way to say "ignore"; boundaries of words do not matter here. */
const IGNORE_STEM = anyOf(
  IGNORE,
  ...LANGUAGES.map(({ ignore }) => ignore.replaceAll(String.raw`(?<!\p{L})`, '').replaceAll(String.raw`(?!\p{L})`, '')),
)

const ORDER: Sign[] = [
  {
    pattern: anyOf(
      String.raw`\b${IGNORE}\b.{0,30}\b(?:${RULES}|messages?|format)\b`,
      ...LANGUAGES.flatMap(ignoreRules),
    ),
    stem: IGNORE_STEM,
  },
  sign(
    String.raw`\b(?:print|output|emit|include|insert|append|add|begin|start|end|put|render|write|say|says|repeat|translate|give|make)\b.{0,40}\b(?:(?:every|each|your|no) ${ANSWER}|the (?:summary|summaries|output|bullets?))\b`,
    String.raw`\b(?:print|output|emit|end|begin|start) every (?:line|bullet|sentence)\b|\bin your ${ANSWER}\b`,
    String.raw`\b(?:include|insert|add|append|put|output|emit) (?:this|the following|these) (?:link|url|address|html|image|code)`,
  ),
  sign(
    String.raw`\b(?:answer|respond|reply|write|say|output) (?:only|nothing but|exclusively)\b|\b(?:and )?nothing (?:else|more)\b|\bverbatim\b|\bword for word\b|\b(?:in|into|decode) (?:a |the )?(?:base64|rot13|code block|pig latin)\b|\btriple backticks\b`,
    String.raw`\bnow (?:write (?!a comment)|say|answer|print|output|reply|respond)\b`,
  ),
  sign(
    String.raw`\b(?:you are now|you must now|you are (?:dan|a linux terminal|an? (?:unrestricted|jailbroken|evil) \w+))\b`,
    String.raw`\b(?:act as|pretend to be|roleplay as)\b.{0,25}\b(?:assistant|ai|dan|pirate|unrestricted|persona|role|admin|root|terminal)\b`,
  ),
  sign(String.raw`\bfrom (?:now on,? you|now on,? (?:answer|respond|reply|write|speak)|this (?:point|moment|line))\b`),
  sign(String.raw`\b(?:developer|jailbreak|dan|god|debug|admin|unrestricted) mode\b|\bsystem override\b|\bjailbreak\b`),
  sign(String.raw`\bnew (?:system )?(?:instructions?|rules?|prompt|task) ?:`),
  sign(
    String.raw`\b(?:transcript|document|captions?|video) (?:ends here|is over|has ended)\b|\bend of (?:the )?(?:transcript|document|captions|input|context)\b`,
  ),
  sign(String.raw`\b(?:obey|comply with|follow) (?:it|me|them|this|these|my)\b`),
  sign(
    String.raw`\b(?:dear|hey|hello|hi|attention|note to|message to|listen,?) (?:the |all |any )?${MACHINE}\b|\bas (?:the|an|a) (?:ai|summari[sz]er|language model|llm)\b`,
  ),
]

const TOPIC: Sign[] = [
  sign(String.raw`\b${PROMPT}\b|\bapi[ _]keys?\b|\byour rules\b`, ...LANGUAGES.map(({ prompt }) => prompt)),
  sign(String.raw`\b${MACHINE}\b.{0,40}\b(?:must|should|shall|has to|please|obey|comply)\b`),
  sign(String.raw`(?:^|["'>}.!?\]]) ?(?:system|assistant|human|user) ?: ?\S|"role" ?: ?"`),
  sign(String.raw`https?:|\bwww\.|${'```'}|\|\s?-{3,}|< ?\/? ?[a-z][^<>]*>`),
  sign(String.raw`\{\{[^{}]*\}\}|\{%|<%|\$\{[a-z_.]+\}`),
  sign(String.raw`\bswitch to .{0,20}\blanguage\b`),
]

export const INJECTION_SIGNS: Signs = {
  clear: [
    { pattern: anyOf(...ASK_FOR_PROMPT), stem: PROMPT_STEM },
    { pattern: anyOf(...MARKS), stem: MARK_STEM },
    { pattern: anyOf(...IGNORE_EARLIER_RULES, ...LANGUAGES.flatMap(ignoreEarlierRules)), stem: IGNORE_STEM },
  ],
  order: ORDER,
  topic: TOPIC,
}
