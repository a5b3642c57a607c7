/** Habits of speech that a reader does not miss, and words that need what was said before. */
interface Habits {
  /** Connections to the sentence before, of up to three words. */
  leads: ReadonlySet<string>
  /** Connections that take the first place of a sentence: without them its verb would come first, unless a comma follows. */
  placed?: ReadonlySet<string>
  /** Sounds of hesitation. */
  fillers: ReadonlySet<string>
  /** First words that stand for something that another sentence names. */
  pronouns: ReadonlySet<string>
  /** Words that are said twice on purpose; null if any word may be, as in Hindi. */
  doubles: ReadonlySet<string> | null
}

const listed = (list: string): ReadonlySet<string> => new Set(list.split('|'))
const NONE: ReadonlySet<string> = new Set()

const CHINESE: Habits = { leads: NONE, fillers: listed('嗯|呃|唔'), pronouns: NONE, doubles: null }

const HABITS: Record<string, Habits> = {
  en: {
    leads: listed(
      'so|and|but|well|okay|ok|yeah|yep|yes|no|now|then|right|like|also|because|cause|or|anyway|anyways|actually|basically|alright|oh|ah|hey|hm|mm-hmm|uh-huh|however|therefore|thus|plus|see|look|i mean|you know|you see|of course|for example|for instance|in fact|and then|so then|as well|all right|at the same time|in other words',
    ),
    fillers: listed('um|umm|uh|uhh|uhm|er|erm|eh|hm|hmm|mm|mmm|ah|mm-hmm|uh-huh'),
    pronouns: listed(
      "it|it's|its|it'll|this|that|that's|that'll|these|those|he|he's|his|him|she|she's|her|they|they're|they've|their|them|there|there's|which|who|whose|whom",
    ),
    doubles: listed('had|that'),
  },
  es: {
    leads: listed(
      'y|e|pero|entonces|bueno|pues|o|así que|ahora|luego|porque|además|también|o sea|es decir|por ejemplo|sin embargo|ahora bien|de hecho|y entonces|por lo tanto|vale|sí|no|mira|claro|a ver',
    ),
    fillers: listed('eh|em|ehm|mm|mmm|este...'),
    pronouns: listed(
      'esto|eso|ello|ellos|ellas|él|ella|estos|estas|esos|esas|este|esta|ese|esa|aquello|lo|los|las que|les|le',
    ),
    doubles: listed('muy|nos|no|ya'),
  },
  fr: {
    leads: listed(
      "et|mais|alors|donc|bon|ben|bah|ou|puis|car|parce que|ensuite|enfin|voilà|oui|non|d'accord|du coup|en fait|et puis|et donc|et alors|mais bon|par exemple|cependant|or|eh bien|d'ailleurs|c'est-à-dire",
    ),
    fillers: listed('euh|heu|hum|hein|mmm|mm'),
    pronouns: listed(
      "il|ils|elle|elles|ça|ceci|cela|celui|celle|ceux|celles|c'est|c'était|ce|ces|cet|cette|lui|leur|leurs|y|en",
    ),
    doubles: listed('nous|vous|très'),
  },
  de: {
    leads: listed('und|aber|oder|denn|ja|nein|naja|na ja|okay|ok|ach'),
    placed: listed(
      'also|so|nun|gut|dann|genau|zum beispiel|jedenfalls|allerdings|außerdem|deshalb|sozusagen|das heißt|übrigens',
    ),
    fillers: listed('äh|ähm|öh|hm|hmm|mm|eh'),
    pronouns: listed(
      'es|er|sie|das|dies|dieser|diese|dieses|diesen|diesem|jene|ihre|ihr|ihm|ihn|ihnen|sein|seine|dessen|deren|dort|dabei|damit|dafür|darin|davon',
    ),
    doubles: listed('die|das|der|den|dem|sie|sehr'),
  },
  pt: {
    leads: listed(
      'e|mas|então|bom|bem|pois|ou|agora|depois|porque|também|além disso|ou seja|por exemplo|no entanto|aliás|na verdade|e então|e aí|aí|portanto|assim|sim|não|olha|olhem|tá|né',
    ),
    fillers: listed('hum|hã|ahn|hmm|eh|éh|né|mm'),
    pronouns: listed('isto|isso|aquilo|ele|ela|eles|elas|este|esta|estes|estas|esse|essa|esses|essas|lhe|lhes'),
    doubles: listed('muito|nos|não'),
  },
  hi: {
    leads: listed('और|तो|लेकिन|मगर|पर|फिर|अब|क्योंकि|या|यानी|अच्छा|हाँ|हां|और फिर|तो फिर|इसलिए|जैसे|देखिए|देखो|वैसे|परंतु|किंतु'),
    fillers: listed('अं|उम|हम्म|अ|उह|हूँ...'),
    pronouns: listed('यह|ये|वह|वो|वे|इस|इसे|इसका|इसकी|इसके|इसमें|इससे|उस|उसे|उसका|उसकी|उसके|उसमें|उन्हें|उनका|उनकी|उनके|इन|उन|इन्हें'),
    doubles: null,
  },
  ar: {
    leads: listed('و|ثم|لكن|ولكن|أو|لذلك|لذا|إذن|إذا|طيب|حسنا|حسناً|نعم|لا|يعني|طبعا|أيضا|مثلا|فمثلا|بالتالي|وبالتالي'),
    fillers: listed('اممم|امم|آه|اه|إيه'),
    pronouns: listed('هو|هي|هم|هذا|هذه|ذلك|تلك|هؤلاء|وهو|وهي|وهم|وهذا|وهذه|وذلك|فهو|فهي|إنه|إنها|لأنه|لأنها'),
    doubles: NONE,
  },
  ja: { leads: NONE, fillers: listed('えーと|えっと|あのー|えー'), pronouns: NONE, doubles: null },
  ko: {
    leads: listed('그래서|그리고|하지만|그런데|근데|그러면|그럼|그러니까|즉|또|또한|네|예|자'),
    fillers: listed('음|어|아|에|그|저'),
    pronouns: listed('이것은|그것은|이건|그건|이게|그게|이는|그는|그녀는|그들은|이것이|그것이'),
    doubles: null,
  },
  zh: CHINESE,
  'zh-Hant': CHINESE,
}

/** Returns the word itself, without the marks around it. */
function bare(word: string): string {
  const characters = [...word.toLowerCase()]
  const first = characters.findIndex((character) => /[\p{L}\p{N}]/u.test(character))
  const last = characters.findLastIndex((character) => /[\p{L}\p{M}\p{N}]/u.test(character))
  return first < 0 ? '' : characters.slice(first, last + 1).join('')
}

const MAX_LEAD_WORDS = 3
/** Less than this is not left of a sentence. */
const MIN_WORDS = 5

function dropRepetitions(words: string[], doubles: ReadonlySet<string>): string[] {
  const kept: string[] = []
  for (const word of words) {
    const key = bare(word)
    if (key !== '' && key === bare(kept.at(-1) ?? '') && !doubles.has(key)) kept[kept.length - 1] = word
    else kept.push(word)
    const [a, b, c, d] = kept.slice(-4).map(bare)
    if (kept.length >= 4 && a === c && b === d && a !== '' && b !== '' && !doubles.has(b ?? '')) kept.splice(-2)
  }
  return kept
}

/** Returns how many words at the beginning only connect a sentence to the one before. */
function countLeads(words: string[], { leads, placed = NONE }: Habits): number {
  let count = 0
  for (let length = MAX_LEAD_WORDS; length > 0; ) {
    const lead = words.slice(count, count + length)
    const phrase = lead.map(bare).join(' ')
    const isLead = leads.has(phrase) || (placed.has(phrase) && lead.at(-1)?.endsWith(','))
    if (phrase !== '' && isLead && words.length - count - length >= MIN_WORDS) {
      count += length
      length = MAX_LEAD_WORDS
    } else length--
  }
  return count
}

/** Removes what a reader does not miss: hesitation, repetition, and the connection to the sentence before. */
export function tidySpoken(spoken: string, tag: string): string {
  const habits = HABITS[tag]
  if (!habits) return spoken
  const fluent = spoken.split(' ').filter((word) => !habits.fillers.has(bare(word)))
  const words = habits.doubles ? dropRepetitions(fluent, habits.doubles) : fluent
  return words.slice(countLeads(words, habits)).join(' ')
}

/** Returns whether a sentence begins with a word that stands for something said before. */
export const beginsWithPronoun = (text: string, tag: string): boolean =>
  HABITS[tag]?.pronouns.has(bare(text.slice(0, 40).split(' ')[0] ?? '')) ?? false
