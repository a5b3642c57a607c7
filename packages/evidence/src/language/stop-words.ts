const wordsOf = (list: string): Set<string> => new Set(list.split(/\s+/u).filter((word) => word !== ''))

const CHINESE =
  wordsOf(`的 了 在 是 我 我们 我們 你 你们 你們 他 她 它 他们 他們 她们 这 這 那 这个 這個 那个 那個 这些 這些 那些 一个 一個
  一些 不 不是 没 没有 沒 沒有 有 和 与 與 或 或者 就 就是 都 也 还 還 还是 還是 很 非常 会 會 能 可以 可能 要 想 说 說 看 来 來 去 到 把 被 给 給
  对 對 从 從 向 为 為 为了 為了 因为 因為 所以 但 但是 而 而且 如果 然后 然後 那么 那麼 什么 什麼 怎么 怎麼 为什么 為什麼 如何 哪里 时候 時候 现在 現在
  今天 大家 自己 里 裡 里面 裡面 上 下 中 个 個 吗 嗎 呢 吧 啊 呀 嗯 哦 啦 之 其 其实 其實 以 以及 让 讓 用 做 得 地 着 著 过 過 再 又 才 只 只是 更 最
  太 比 跟 等 第 次 种 種 样 樣 这样 這樣 那样 一样 一樣 已经 已經 知道 觉得 覺得 东西 東西 很多 多 少 大 小 好 点 點 还有 還有 比较 比較 开始 開始 每 每个 每個
  它们 它們 一 二 三 两 兩 几 幾 人 年 不会 不會 不能 不要 需要 应该 應該 必须 必須 通过 通過 进行 進行 成为 成為 一定 一起 同时 同時 甚至 并 並 并且 並且 请 請`)

/** Words without a topic, in lower case. The lists are small on purpose: word frequency finds the rest. */
export const STOP_WORDS = {
  en: wordsOf(`a an the this that these those there here it its it's he she they them their his her him we us our you your i me my mine
    is are was were be been being am do does did done doing have has had having will would can could should shall may might must
    and or but so because if then than as at by for from in into of off on onto out over to up down with without about after before
    between through during under again once not no nor only own same too very just also even still yet now when where why how what
    which who whom whose all any both each few more most other some such one two three first second get gets got getting go goes going gone
    gonna wanna come comes came like really actually basically kind sort lot thing things stuff something anything everything someone
    know think see look say says said mean means want let lets let's make makes made take takes use used using need well yeah yes okay ok
    uh um oh hey right good great much many way back don't doesn't didn't isn't aren't wasn't can't won't that's there's what's i'm you're we're
    they're he's she's i've you've we've i'll you'll we'll it'll i'd you'd every always never maybe little bit around today people
    called put show whole different tell talk talking work works try start keep give new time times long it’s don’t that’s we’re you’re i’m while
    next last whole better best across until since whether though although another however quite simply give gives given within against per able less least whenever`),
  es: wordsOf(`el la los las un una unos unas lo al del de a ante con contra desde en entre hacia hasta para por sin sobre tras y e o u ni pero
    sino que qué como cómo cuando cuándo donde dónde quien quién cual cuál si sí no yo tú él ella nosotros ustedes ellos ellas me te se nos le
    les mi mis tu tus su sus nuestro nuestra este esta esto estos estas ese esa eso esos esas aquel aquella es son era eran fue fueron ser
    sido está están estaba estar estoy estamos soy somos he ha han hay había haber hace hacer hacen hecho tiene tienen tener tengo tenemos
    puede pueden poder puedo podemos va van voy vamos ir más menos muy mucho mucha muchos muchas poco también tampoco ya aún todavía
    ahora entonces porque pues bueno así aquí ahí allí todo toda todos todas otro otra otros otras algo alguien nada nadie cada mismo misma
    uno dos tres primero cosa cosas vez veces ver decir dice digo saber sé creo quiero quiere ejemplo tan tanto solo sólo hoy cualquier
    mil millón millones durante mientras aunque después antes siempre nunca cuanto parte forma gente debe deben hemos sea sean`),
  fr: wordsOf(`le la les l un une des du de d à au aux en dans par pour sur sous avec sans entre vers chez et ou mais donc or ni car que qu qui quoi
    dont où si ne pas plus moins très je j tu il elle on nous vous ils elles me m te t se s lui leur leurs y mon ma mes ton ta tes son sa ses
    notre nos votre vos ce c cet cette ces ça cela ceci est sont était étaient être été suis sommes êtes sera ai as a avons avez ont avait avoir
    eu fait faire fais font peut peuvent pouvoir peux va vont aller vais allons doit faut comme quand comment pourquoi alors aussi encore
    déjà toujours jamais bien bon ben euh voilà ici là tout toute tous toutes autre autres même quelque quelques chose choses rien chaque
    un deux trois premier fois dire dit parce puis ainsi après avant peu beaucoup trop aujourd hui aujourd'hui maintenant c'est
    qu'il qu'on d'un d'une n'est j'ai il_y_a sait savoir voir vois pense crois veux veut celui celle ceux depuis pendant lorsque tant leur cela premier première premiers premières dernier dernière dernières derniers
    aucun aucune selon jusqu jusqu'à moment gens n'a s'il l'on`),
  de: wordsOf(`der die das den dem des ein eine einen einem einer eines und oder aber denn sondern doch weil dass daß wenn ob als wie wo wer was
    wann warum welche welcher welches ich du er sie es wir ihr mich dich sich uns euch mir dir ihm ihn ihnen mein meine dein seine sein
    seinen ihre ihren ihrem unser unsere dieser diese dieses diesen diesem jener jede jeder jedes alle alles allen andere anderen ist sind war waren
    bin bist seid gewesen werden wird wurde wurden worden habe hat haben hatte hatten hast kann können könnte konnte muss müssen soll sollte sollen will
    wollen möchte mag darf dürfen macht machen gemacht geht gehen gibt geben kommt kommen sagen sagt gesagt sehen sieht wissen weiß in im
    an am auf aus bei beim bis durch für gegen mit nach ohne über um unter von vom vor zu zum zur zwischen nicht kein keine keinen nur noch
    schon auch sehr mehr mal so also dann da hier dort jetzt heute immer nie nichts etwas viel viele vielleicht eigentlich einfach ganz genau ja
    nein halt eben wieder man eins zwei drei erste ersten gut okay äh ähm damit dabei dazu darum daran davon deshalb sowie während bevor
    nachdem obwohl selbst wirklich natürlich falls sonst beispiel sache dinge leute oft weniger lässt`),
  pt: wordsOf(`o a os as um uma uns umas ao aos à às do da dos das de em no na nos nas num numa por pelo pela pelos pelas para pra com sem sob sobre
    entre até desde e ou mas nem que quê se como quando onde quem qual quais porque porquê pois eu tu ele ela nós vós eles elas você vocês me te
    lhe lhes meu minha teu seu sua seus suas nosso nossa este esta isto esse essa isso esses essas aquele aquela aquilo é são era eram foi foram ser
    sido está estão estava estar estou estamos sou somos tem têm tinha ter tenho temos há havia haver faz fazer fazem feito pode podem poder
    posso podemos vai vão vou vamos ir deve devem mais menos muito muita muitos muitas pouco também já ainda agora então assim aqui aí
    ali lá tudo todo toda todos todas outro outra outros outras algo alguém nada ninguém cada mesmo mesma um dois três primeiro coisa
    coisas vez vezes ver dizer diz digo saber sei acho quero quer exemplo tão tanto só hoje gente né tá bom bem sim não qualquer durante
    enquanto embora depois antes sempre nunca parte forma seja sejam gente através`),
  ja: wordsOf(`は が を に へ と で も の や か な ね よ わ さ ぞ ん し て た だ です ます でし まし ませ ない なく ある あり いる いう いい する さ れ られ せ させる
    こと もの ため よう そう ところ とき 時 これ それ あれ この その あの どの ここ そこ どこ 何 なに なん 誰 私 僕 俺 あなた 皆さん みなさん 彼 彼女 人 方
    から まで より など って という ので のに けど けれど しかし でも だから そして それで では じゃ また まだ もう とても すごく 少し ちょっと ちゃんと やはり やっぱり
    今 今日 今回 前 後 中 上 下 一 二 三 一つ 二つ 的 さん くん ください なる なり なっ 思う 思い 思っ 言う 言っ 見る 見 行く 行っ 来る 来 使う 使っ 使い 出る 出
    できる でき 場合 自分 本当 全部 みんな たち 次 最初 最後 ながら について として 必要 同じ 多く くらい ぐらい だけ しか ば たら たり てる 感じ 話 説明 大切 日 回 度`),
  ko: wordsOf(`나는 내가 제가 네가 저는 나도 니가 우리가 우리는 제일 일단 이 그 저 것 거 수 등 및 를 을 은 는 가 의 에 에서 로 으로 와 과 도 만 나 너 우리 저희 여러분 그것 이것 저것 여기 거기 저기 이런 그런 저런 어떤
    무엇 뭐 누구 언제 어디 왜 어떻게 얼마나 그리고 그래서 그러나 하지만 그런데 근데 그러면 그럼 또 또는 또한 및 즉 만약 때문 때문에 위해 대해 통해 있는 있다 있습니다
    있어요 없는 없다 없습니다 하는 하다 합니다 해요 했습니다 하고 해서 하면 되는 된다 됩니다 되고 같은 같이 같습니다 아주 매우 정말 진짜 너무 많이 조금 좀 더 가장 잘
    안 못 다 모두 모든 다시 아직 이미 지금 오늘 항상 먼저 다음 이제 바로 그냥 사실 약간 경우 정도 때 점 중 후 전 한 두 세 첫 번 번째 하나 사람 생각 말 네 예 아니 아니라
    이렇게 그렇게 입니다 이에요 예요 이다 있을 있고 않고 않는 않습니다 위한 대한 많은 여러 서로 각 매일 함께 따라 보다 오늘은 중요합니다 필요합니다 동안 줄 할 될 볼 새로운`),
  zh: CHINESE,
  'zh-Hant': CHINESE,
  hi: wordsOf(`का की के को में से पर ने तक और या लेकिन मगर कि जो तो ही भी है हैं था थी थे हूं हूँ हो होता होती होते हुआ हुई हुए होना होगा होगी यह वह ये वे इस उस इन उन
    इसे उसे इसका इसकी इसके उसका उसकी उसके इसमें उसमें इससे उससे मैं हम तुम आप मेरा मेरी मेरे हमारा हमारी हमारे आपका आपकी आपके अपना अपनी अपने मुझे हमें आपको उन्हें
    इन्हें क्या क्यों कैसे कब कहां कहाँ कौन कौनसा जब तब जहां जहाँ अगर क्योंकि इसलिए फिर अब आज यहां यहाँ वहां वहाँ नहीं न मत ना बहुत थोड़ा ज्यादा कम सब सभी कुछ कोई
    हर एक दो तीन पहला पहले बाद साथ लिए द्वारा बारे तरह वाला वाली वाले कर करना करने करता करती करते किया किए की गई गया गए जा जाता जाती जाते रहा रही रहे सकता सकती सकते
    चाहिए देना दे देते दिया लेना ले लेते बात बातें लोग चीज चीज़ चीजें मतलब हां हाँ जी अच्छा ठीक बस सिर्फ केवल जैसे ऐसे ऐसा वैसे इतना जितना करें होने रूप कभी हमेशा`),
} satisfies Record<string, ReadonlySet<string>>
