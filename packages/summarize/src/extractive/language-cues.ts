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
  /** Matches what addresses the viewer: an imperative, or what the viewer should do. */
  actions: RegExp
  /** Matches greetings, farewells, and advertising, such as requests for a subscription, which are never the subject. */
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
    /(?:你|你们|你們|您|大家|各位)(?:们|們)?(?:应该|應該|必须|必須|一定要|需要|最好|可以试|可以試|不要)|记住|記住|务必|務必|千万|千萬|(?:^|[，。])(?:请|請)(?!问|問)|别忘|別忘|我建议|我建議/gu,
  promotion:
    /订阅|訂閱|点赞|點讚|关注我|關注我|小铃铛|小鈴鐺|大家好|谢谢(?:大家|收看|观看)|謝謝(?:大家|收看|觀看)|欢迎(?:收看|来到|大家)|歡迎(?:收看|來到|大家)|下期再见|下次見/gu,
  weakWords: null,
}

export const LANGUAGE_CUES: Record<TableLanguage, LanguageCues> = {
  en: {
    starters: words(
      "so|but|now|and then|and so|because|however|then|okay|well|first|finally|for example|the next|let's|remember|if you",
    ),
    enders: null,
    unfinished: lastWord(
      "the|a|an|of|to|in|on|at|for|from|with|and|or|but|so|that|which|is|are|was|were|if|when|because|as|by|um|uh|like|you know|i|we|it['’]s|i['’]m|very|my|your|our|their|this|these|okay|then|he|she|they|have|has|had|be|been|can|will|would|could|should|not|don['’]t|just|more|than|into|about",
    ),
    fillers: /^(?:(?:um|uh|uhm|hmm)\b[\s,]*)+/iu,
    actions: words(
      "(?:(?<!(?:if|that|what|which|whether|when|where|whenever|because|things) )you|everyone|everybody) (?:really |always |also |just |probably |definitely |all )?(?:should|shouldn['’]t|must|mustn['’]t|need to|have to|ought to|had better|might want to|may want to|will want to)|you['’]d better|you['’]ll want to|(?<!(?:i|we|he|she|they|it|to|will|would|can|['’]ll|['’]d) )make sure|be sure to|remember (?:to|that)|don['’]t forget|do not forget|keep in mind|i(?: would|['’]d)? (?:recommend|suggest|advise|encourage)|please|(?<=^(?:so |and |now |then |first |next |finally |always |just |never )?)(?:try|avoid|never|always|don['’]t|do not|start|stop|ask|check|consider|write|choose|use|take|make|keep|give|learn|find|let['’]?s not|add|put|set|turn|wait)(?= \\p{L})",
    ),
    promotion: words(
      "subscribe|subscribing|subscribers|like button|notification bell|our sponsors?|sponsored by|patreon|smash that|link in the description|links in the description|show notes|welcome (?:back )?to|thank you|thanks|see you (?:next|in the next|soon)|check (?:it |us |me )?out (?:our|my|the|another|this)|download (?:it|the|our)|follow (?:me|us) on|newsletter|promo code|discount code|good (?:morning|afternoon|evening)|our (?:next|first|last) question|turn (?:the call|it) over|this episode of|on (?:the|this|our) podcast|my name is|that['’]s all for|free trial|rate and review",
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
      'debes|deberías|(?:deben|deberían|tienen que) ustedes|ustedes (?:deben|deberían|tienen que)|debe usted|debería usted|tienes que|asegúrate|asegúrense|asegúrese|no olvides|no olviden|te recomiendo|les recomiendo|os recomiendo|te aconsejo|les aconsejo|necesitas|no hagas|fíjate|fíjense|tengan en cuenta|ten en cuenta|(?<=^[¡"«]?(?:y |pero |entonces |así que )?)(?:recuerda|recuerden|recuerde|intenta|intenten|evita|eviten|evite|haz|hagan|prueba a|prueben)',
    ),
    promotion: words(
      'suscríbete|suscribirte|suscríbanse|suscribe|campanita|patrocinador|patrocinado|dale like|bienvenidos?|bienvenidas|gracias por (?:ver|escuchar|acompañar\\p{L}*|estar|venir|su)|muchas gracias|hasta la próxima|nos vemos|buenos días|buenas (?:tardes|noches)|síg(?:ue|an)(?:me|nos)',
    ),
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
      "vous devez|vous devriez|tu dois|tu devrais|il vous faut|il faut que (?:vous|tu)|n['’]oubliez pas|n['’]oublie pas|assurez-vous|assure-toi|rappelez-vous|souvenez-vous|(?:vous|te) (?:conseille|recommande)|ne faites pas|(?<=^[\"«]?(?:et |mais |donc |alors )?)(?:essayez|essaie de|évitez|pensez à|pense à|veillez|faites|prenez|choisissez|commencez)",
    ),
    promotion: words(
      "abonnez|abonne|abonner|la cloche|pouce bleu|sponsor|sponsorisée?|partenaire de cette vidéo|bienvenue|merci (?:d['’]avoir|de (?:m['’]|nous |votre|votre)|à tous|beaucoup)|bonjour|bonsoir|à bientôt|à la prochaine|suivez-(?:moi|nous)",
    ),
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
      '(?:sollten|müssen|dürfen|brauchen) sie|sie (?:sollten|müssen|dürfen)|solltest|solltet|musst|müsst|darfst|dürft|denkt daran|denk daran|denken sie daran|vergesst nicht|vergiss nicht|vergessen sie nicht|achtet auf|achte auf|achten sie|versuchen sie|versucht mal|vermeiden sie|vermeidet|empfehle (?:ich )?(?:euch|ihnen|dir)|stellt sicher|stellen sie sicher|merkt euch|merken sie sich|machen sie|nehmen sie|probiert|probieren sie',
    ),
    promotion: words(
      'abonniert|abonnieren|abonniere|glocke|daumen hoch|sponsor|werbepartner|herzlich willkommen|willkommen (?:zu|zurück|bei)|vielen dank|danke (?:fürs|für eure|für ihre|schön)|guten (?:tag|morgen|abend)|bis zum nächsten mal|tschüss|folgt (?:mir|uns)',
    ),
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
      '(?:você|vocês|tu) (?:deve|devem|deves|deveria|deveriam|precisa|precisam|precisas|tem que|têm que|tem de|têm de|tens de|tens que)|lembre-se|lembrem-se|lembra-te|certifique-se|certifiquem-se|não esqueçam?|não se esqueçam?|recomendo que|não faça|tenha em mente|(?<=^["«]?(?:e |mas |então )?)(?:tente|tentem|evite|evitem|procure|procurem|faça|façam|experimente|experimentem)',
    ),
    promotion: words(
      'inscreva|inscrevam|inscreve|sininho|patrocinador|patrocinado|deixe o like|deixa o like|bem-vindos?|bem-vindas|obrigad[oa] por|muito obrigad[oa]|até a próxima|até à próxima|bom dia|boa (?:tarde|noite)|sig(?:a|am)(?:-me|-nos)',
    ),
    weakWords: /(?:mente|ando|endo|indo|amos|emos|imos|aram|eram|iram|[aei]r)$/u,
  },
  ja: {
    starters: /でも|だから|それで|そして|しかし|それから|ところで|例えば|たとえば|まず|次に|最後に|つまり|なので/gu,
    enders: /(?:です|ます|でした|ました|ません|でしょう|ましょう|ください)(?:ね|よ|よね|か)?(?![がけのしかねよ])/gu,
    unfinished: /(?:そして|でも|だから|それで|しかし|つまり|えーと|あの|まず)$/u,
    fillers: /^(?:えーと|えっと|ええと|あのー|えー|まあ)[、\s]*/u,
    actions:
      /(?:て|で|ないで)(?:ください|下さい)|ましょう|たほうがいい|た方がいい|べきです|なければなりません|忘れないで|てはいけません|おすすめします/gu,
    promotion:
      /チャンネル登録|高評価|通知ベル|スポンサー|提供でお送り|ご視聴|ありがとうございま|こんにちは|おはようございます|また次回/gu,
    weakWords: /^\p{sc=Hiragana}+$|[うくすつぬむるいたてっりしえけせれめ]$/u,
  },
  ko: {
    starters: words('그래서|그리고|하지만|그런데|근데|그러면|그럼|예를 들어|먼저|다음으로|마지막으로|그러니까|즉'),
    enders: /(?:습니다|니다|어요|아요|해요|예요|에요|세요|네요|거든요|잖아요|군요|까요|지요|죠)(?=\s)/gu,
    unfinished: lastWord('그리고|그래서|근데|그런데|하지만|그러면|그럼|이|그|저|어|음'),
    fillers: /^(?:(?:음|어|아)[\s,]+)+/u,
    actions:
      /(?:하|으|시|보|두|주)세요|하십시오|마세요|마십시오|하셔야|해야 합니다|해야 해요|는 것이 좋습니다|는 게 좋습니다|기억하세요|추천합니다|권장합니다|바랍니다/gu,
    promotion: /구독|좋아요 버튼|알림 설정|광고|협찬|시청해 주셔서|감사합니다|안녕하세요|다음 시간에/gu,
    weakWords: /(?:다|요|죠|고|며|면|서|지|는|은|던|게|할|한|된|될|하|되|히|어|아|해|려|기)$/u,
  },
  zh: CHINESE,
  'zh-Hant': CHINESE,
  hi: {
    starters: words('लेकिन|और फिर|फिर|इसलिए|क्योंकि|अब|तो|उदाहरण के लिए|सबसे पहले|अंत में|अगर|मगर'),
    enders: /(?:है|हैं|था|थे|थी|हूं|हूँ|होगा|होगी|होंगे|चाहिए|गया|गई|गए)(?=\s)/gu,
    unfinished: lastWord('का|की|के|को|में|से|पर|और|या|कि|लेकिन|तो|ने|फिर|इसलिए|क्योंकि'),
    fillers: /^(?:(?:अं|उम|हम्म)[\s,]+)+/u,
    actions:
      /(?:आपको|आप|तुम्हें|तुम|हर किसी को)\s.{0,60}(?:चाहिए|होगा|पड़ेगा)|याद रखें|याद रखिए|कोशिश (?:करें|कीजिए|करिए)|सुनिश्चित (?:करें|कीजिए)|न भूलें|मत भूलिए|मत भूलना|(?<!कल्पना )(?:करें|कीजिए|करिए|रखें|रखिए|बचें|बचिए)(?=\s*[।.!]?$)/gu,
    promotion: /सब्सक्राइब|सबस्क्राइब|लाइक कर|घंटी|स्पॉन्सर|धन्यवाद|नमस्कार|नमस्ते|स्वागत है/gu,
    weakWords: /(?:ना|ने|ता|ती|ते|कर|गा|गे|गी|ें|ाए|ाया|िए)$/u,
  },
}

/** Returns whether `pattern` occurs. Safe for the shared, stateful patterns above. */
export const occursIn = (pattern: RegExp | null | undefined, text: string): boolean =>
  pattern ? text.search(pattern) >= 0 : false
