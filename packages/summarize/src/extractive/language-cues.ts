import type { TableLanguage } from './speech.ts'

/** Words and endings that show where sentences of a language begin and end, and what they are about. */
interface LanguageCues {
  /** In speech without punctuation a new sentence probably begins before the match. */
  starters: RegExp | null
  /** In speech without punctuation a sentence probably ends after the match. */
  enders: RegExp | null
  /** Words that rarely end a sentence. They are removed before a guessed end. */
  unfinished: RegExp
  /** Matches hesitation at the beginning. */
  fillers: RegExp
  /** Matches instructions to the viewer. */
  actions: RegExp
  /** Matches requests for a subscription and the like, which are never the subject of a video. */
  promotion: RegExp
  /** Matches forms that are rarely nouns and therefore make poor headings. */
  weakWords: RegExp | null
}

/** Matches at the end of a text, after another word. */
const lastWord = (alternatives: string): RegExp =>
  new RegExp(`(?<=[\\p{L}\\p{M}\\p{N},.]\\s)(?:${alternatives})[\\s,]*$`, 'iu')

const words = (alternatives: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{M}'’])(?:${alternatives})(?![\\p{L}\\p{M}])`, 'giu')

const CHINESE: LanguageCues = {
  starters: /所以|但是|然后|然後|那么|那麼|因为|因為|而且|不过|不過|其实|其實|如果|接下来|接下來|首先|最后|最後/gu,
  enders: /(?:吗|嗎|呢|吧|啊|了)(?=\p{sc=Han})/gu,
  unfinished:
    /(?<=\p{sc=Han})(?:的|和|在|是|把|被|对|對|从|從|与|與|跟|但是|因为|因為|所以|而且|然后|然後|如果|其实|其實|那么|那麼)$/u,
  fillers: /^(?:嗯|呃|啊)[，、\s]*/u,
  actions:
    /应该|應該|必须|必須|一定要|记住|記住|不要|需要|建议|建議|务必|務必|尽量|盡量|试着|試著|确保|確保|避免|最好|请你|請你|别忘|別忘/gu,
  promotion: /订阅|訂閱|点赞|點讚|关注我|關注我|小铃铛|小鈴鐺/gu,
  weakWords: null,
}

export const LANGUAGE_CUES: Record<TableLanguage, LanguageCues> = {
  en: {
    starters: words(
      "so|but|now|and then|and so|because|however|then|okay|well|first|finally|for example|the next|let's|remember|if you",
    ),
    enders: null,
    unfinished: lastWord(
      "the|a|an|of|to|in|on|at|for|from|with|and|or|but|so|that|which|is|are|was|were|if|when|because|as|by|um|uh|like|you know|i|we|it['’]s|i['’]m|very|my|your|our|their|this|these|okay|then",
    ),
    fillers: /^(?:(?:um|uh|uhm|hmm)\b[\s,]*)+/iu,
    actions: words(
      "should|must|need to|needs to|have to|make sure|remember|don['’]t forget|try to|try|avoid|recommend|consider|be sure|start by|stop|ensure|keep in mind",
    ),
    promotion: words(
      'subscribe|subscribing|like button|notification bell|our sponsor|patreon|smash that|link in the description',
    ),
    weakWords: /(?:ly|ing|ed)$/u,
  },
  es: {
    starters: words(
      'entonces|pero|ahora|porque|así que|además|por ejemplo|primero|finalmente|sin embargo|luego|bueno|también|y luego|si',
    ),
    enders: null,
    unfinished: lastWord(
      'el|la|los|las|un|una|de|del|a|en|con|por|para|y|o|pero|que|se|su|sus|mi|es|son|muy|este|esta|como|si|porque|entonces|eh',
    ),
    fillers: /^(?:(?:eh|ehm|mmm)\b[\s,]*)+/iu,
    actions: words(
      'debes|deben|debemos|debería|deberían|hay que|tienes que|tienen que|tenemos que|recuerda|recuerden|asegúrate|asegúrense|intenta|evita|eviten|no olvides|conviene|recomiendo|necesitas|es importante',
    ),
    promotion: words('suscríbete|suscribirte|suscríbanse|suscribe|campanita|patrocinador|dale like|me gusta'),
    weakWords: /(?:mente|ando|iendo|amos|emos|imos|aron|ieron|[aei]r|[aei]rlo|[aei]rla)$/u,
  },
  fr: {
    starters: words(
      "donc|mais|alors|et puis|parce que|ensuite|maintenant|par exemple|d['’]abord|enfin|cependant|en fait|si",
    ),
    enders: null,
    unfinished: lastWord(
      'le|la|les|un|une|des|de|du|à|au|aux|en|dans|par|pour|avec|et|ou|mais|que|qui|se|sa|son|ses|ce|cette|est|sont|très|si|parce|donc|alors|euh',
    ),
    fillers: /^(?:(?:euh|heu|ben)\b[\s,]*)+/iu,
    actions: words(
      "il faut|vous devez|tu dois|nous devons|on doit|devrait|devriez|n['’]oubliez pas|n['’]oublie pas|assurez|essayez|essaie|évitez|évite|pensez à|rappelez|conseille|recommande|veillez",
    ),
    promotion: words('abonnez|abonne|abonner|la cloche|pouce bleu|sponsor|partenaire de cette vidéo'),
    weakWords: /(?:ment|ons|ez|ait|aient|ant|[ei]r|re)$/u,
  },
  de: {
    starters: words(
      'also|aber|dann|und dann|weil|denn|jetzt|zum beispiel|zuerst|schließlich|außerdem|deshalb|wenn|allerdings',
    ),
    enders: null,
    unfinished: lastWord(
      'der|die|das|den|dem|ein|eine|einen|einem|einer|und|oder|aber|zu|im|am|auf|aus|bei|mit|nach|von|vom|für|dass|weil|wenn|ist|sind|sehr|also|dann|äh|ähm',
    ),
    fillers: /^(?:(?:äh|ähm|hm)[\s,]+)+/iu,
    actions: words(
      'sollte|sollten|solltest|solltet|muss|müssen|musst|müsst|denkt daran|denk daran|vergesst nicht|vergiss nicht|achte|achtet|achten sie|versuche|versucht|vermeide|vermeidet|empfehle|stellt sicher|merkt euch|am besten',
    ),
    promotion: words('abonniert|abonnieren|abonniere|glocke|daumen hoch|sponsor|werbepartner'),
    weakWords: /^\p{Ll}/u,
  },
  pt: {
    starters: words(
      'então|mas|agora|porque|e depois|além disso|por exemplo|primeiro|finalmente|no entanto|depois|bom|se',
    ),
    enders: null,
    unfinished: lastWord(
      'o|a|os|as|um|uma|de|do|da|em|no|na|com|por|para|e|ou|mas|que|se|seu|sua|é|são|muito|este|esta|como|porque|então',
    ),
    fillers: /^(?:(?:hum|hã|ahn|né)[\s,]+)+/iu,
    actions: words(
      'deve|devem|devemos|deveria|deveriam|tem que|temos que|precisa|precisam|precisamos|é preciso|lembre|lembrem|certifique|tente|tentem|evite|evitem|não esqueça|não se esqueça|recomendo|procure|vale a pena',
    ),
    promotion: words('inscreva|inscrevam|inscreve|sininho|patrocinador|deixe o like|deixa o like'),
    weakWords: /(?:mente|ando|endo|indo|amos|emos|imos|aram|eram|iram|[aei]r)$/u,
  },
  ja: {
    starters: /でも|だから|それで|そして|しかし|それから|ところで|例えば|たとえば|まず|次に|最後に|つまり|なので/gu,
    enders: /(?:です|ます|でした|ました|ません|でしょう|ましょう|ください)(?:ね|よ|よね|か)?(?![がけのしかねよ])/gu,
    unfinished: /(?:そして|でも|だから|それで|しかし|つまり|えーと|あの|まず)$/u,
    fillers: /^(?:えーと|えっと|ええと|あのー|えー|まあ)[、\s]*/u,
    actions:
      /べき|必要があ|必要です|ください|下さい|ましょう|大切です|重要です|忘れないで|なければ|してはいけ|おすすめ|必ず|避け/gu,
    promotion: /チャンネル登録|高評価|通知ベル|スポンサー|提供でお送り/gu,
    weakWords: /^\p{sc=Hiragana}+$|[うくすつぬむるいたてっりしえけせれめ]$/u,
  },
  ko: {
    starters: words('그래서|그리고|하지만|그런데|근데|그러면|그럼|예를 들어|먼저|다음으로|마지막으로|그러니까|즉'),
    enders: /(?:습니다|니다|어요|아요|해요|예요|에요|세요|네요|거든요|잖아요|군요|까요|지요|죠)(?=\s)/gu,
    unfinished: lastWord('그리고|그래서|근데|그런데|하지만|그러면|그럼|이|그|저|어|음'),
    fillers: /^(?:(?:음|어|아)[\s,]+)+/u,
    actions:
      /해야|하세요|하십시오|마세요|마십시오|필요가 있|필요합니다|좋습니다|중요합니다|기억하|잊지|반드시|꼭\s|피하|추천|권장|바랍니다/gu,
    promotion: /구독|좋아요 버튼|알림 설정|광고|협찬/gu,
    weakWords: /(?:다|요|죠|고|며|면|서|지|는|은|던|게|할|한|된|될|하|되|히|어|아|해|려|기)$/u,
  },
  zh: CHINESE,
  'zh-Hant': CHINESE,
  hi: {
    starters: words('लेकिन|और फिर|फिर|इसलिए|क्योंकि|अब|तो|उदाहरण के लिए|सबसे पहले|अंत में|अगर|मगर'),
    enders: /(?:है|हैं|था|थे|थी|हूं|हूँ|होगा|होगी|होंगे|चाहिए|गया|गई|गए)(?=\s)/gu,
    unfinished: lastWord('का|की|के|को|में|से|पर|और|या|कि|लेकिन|तो|ने|फिर|इसलिए|क्योंकि'),
    fillers: /^(?:(?:अं|उम|हम्म)[\s,]+)+/u,
    actions: /चाहिए|ज़रूरी है|जरूरी है|याद रखें|याद रखिए|कोशिश करें|सुनिश्चित|न भूलें|मत भूल|बचें|सलाह|ज़रूर|जरूर /gu,
    promotion: /सब्सक्राइब|सबस्क्राइब|लाइक कर|घंटी|स्पॉन्सर/gu,
    weakWords: /(?:ना|ने|ता|ती|ते|कर|गा|गे|गी|ें|ाए|ाया|िए)$/u,
  },
}

/** Returns whether `pattern` occurs. Safe for the shared, stateful patterns above. */
export const occursIn = (pattern: RegExp | null | undefined, text: string): boolean =>
  pattern ? text.search(pattern) >= 0 : false
