type Flip = [pattern: RegExp, replacement: string]

/** Ways to put in a negation or to take one out, for each language. Each is applied by itself. */
export const FLIPS: Record<string, Flip[]> = {
  en: [
    [/\b(is|was|are|were|will|can|should|could|would|has|had)\b(?! not|n't)/, '$1 not'],
    [/ (?:not|never)\b/, ''],
    [/\b(is|was|are|were|could|would|should|did|does|do|has|had)n['’]t\b/, '$1'],
  ],
  de: [
    [/(?<!\p{L})(ist|war|sind|waren|hat|hatte|wird|wurde|wurden|kann|können)(?!\p{L}| nicht)/u, '$1 nicht'],
    [/ nicht(?!\p{L})/u, ''],
    [/(?<!\p{L})kein(e[nmrs]?)?(?!\p{L})/u, 'ein$1'],
  ],
  fr: [
    [/(?<![\p{L}'’])(sont|étaient|était|ont|avait|sera|peut|peuvent|fut)(?!\p{L}| pas)/u, 'ne $1 pas'],
    [/(?<!\p{L})est(?!\p{L}| pas|-)/u, "n'est pas"],
    [/(?<!\p{L})n(?:e |['’])(\p{L}+) (?:pas|jamais)(?!\p{L})/u, '$1'],
  ],
  es: [
    [
      /(?<!\p{L}|no )(es|era|fue|son|eran|está|están|ha|han|había|tiene|puede|pueden|fueron|hay|será)(?!\p{L})/u,
      'no $1',
    ],
    [/(?<!\p{L})(?:no|nunca) /u, ''],
  ],
  pt: [
    [/(?<!\p{L}|não )(é|era|foi|são|eram|está|estão|tem|têm|tinha|pode|podem|foram|há|será)(?!\p{L})/u, 'não $1'],
    [/(?<!\p{L})(?:não|nunca) /u, ''],
  ],
  hi: [
    [/(?<!नहीं )(है|हैं|था|थे|थी|थीं)(?=[।.]|$)/u, 'नहीं $1'],
    [/(?<!\p{L})नहीं /u, ''],
  ],
  ar: [
    [/(?<![\p{L}\p{M}])كان(?![\p{L}\p{M}])/u, 'لم يكن'],
    [/(?<![\p{L}\p{M}])كانت(?![\p{L}\p{M}])/u, 'لم تكن'],
    [/(?<![\p{L}\p{M}]|لا )(يمكن|يعد|توجد|يوجد)(?![\p{L}\p{M}])/u, 'لا $1'],
    [/(?<![\p{L}\p{M}])(?:لم|لا|لن|ليس|ليست) /u, ''],
  ],
  ja: [
    [/です(?=。)/u, 'ではありません'],
    [/ました(?=。)/u, 'ませんでした'],
    [/ます(?=。)/u, 'ません'],
    [/ません(?=。)/u, 'ます'],
    [/ませんでした(?=。)/u, 'ました'],
    [/ではありません/u, 'です'],
  ],
  ko: [
    [/입니다(?=\.)/u, '이 아닙니다'],
    [/했습니다(?=\.)/u, '하지 않았습니다'],
    [/했다(?=\.)/u, '하지 않았다'],
    [/이다(?=\.)/u, '이 아니다'],
    [/있(습니다|다)(?=\.)/u, '없$1'],
    [/없(습니다|다|었다|었습니다)(?=\.)/u, '있$1'],
    [/하지 않았/u, '했'],
  ],
  zh: [
    [/(?<![不但还就可要都于只总])是/u, '不是'],
    [/(?<!没)有/u, '没有'],
    [/(?<![不议社机])会/u, '不会'],
    [/不(是|会|能|可以)/u, '$1'],
    [/没有/u, '有'],
  ],
}

/** Words that turn a sentence round when they are exchanged. */
export const TURNS: Record<string, string> = {
  en: 'rose/fell, increased/decreased, grew/shrank, higher/lower, more/less, approved/rejected, accepted/refused, supported/opposed, allowed/banned, won/lost, bought/sold, opened/closed, began/ended, before/after, better/worse, good/bad, easy/difficult, large/small, long/short, old/new, high/low, above/below, north/south, early/late, first/last, cheap/expensive, strong/weak, hot/cold, warm/cold, rich/poor, public/private, failed/succeeded, built/destroyed',
  de: 'stieg/fiel, mehr/weniger, größer/kleiner, höher/niedriger, genehmigte/lehnte, erlaubt/verboten, gewann/verlor, kaufte/verkaufte, begann/endete, besser/schlechter, gut/schlecht, groß/klein, große/kleine, großen/kleinen, lang/kurz, alten/neuen, neue/alte, früh/spät, ersten/letzten, erste/letzte, starke/schwache, öffentlichen/privaten, viele/wenige, billig/teuer, warm/kalt, nördlich/südlich',
  fr: 'augmenté/diminué, monté/baissé, plus/moins, approuvé/rejeté, accepté/refusé, permis/interdit, gagné/perdu, acheté/vendu, commencé/terminé, ouvert/fermé, avant/après, meilleur/pire, bon/mauvais, facile/difficile, grand/petit, grande/petite, long/court, nouveau/vieux, nouvelle/vieille, élevé/bas, premier/dernier, première/dernière, fort/faible, rapide/lent, public/privé, riche/pauvre, chaud/froid',
  es: 'aumentó/disminuyó, subió/bajó, más/menos, aprobó/rechazó, aceptó/rechazó, permitió/prohibió, ganó/perdió, compró/vendió, comenzó/terminó, abrió/cerró, antes/después, mejor/peor, bueno/malo, fácil/difícil, grande/pequeño, grandes/pequeños, largo/corto, viejo/nuevo, nueva/vieja, alto/bajo, alta/baja, primer/último, primera/última, fuerte/débil, rápido/lento, público/privado, rico/pobre, norte/sur, caliente/frío',
  pt: 'aumentou/diminuiu, subiu/caiu, mais/menos, aprovou/rejeitou, aceitou/recusou, permitiu/proibiu, ganhou/perdeu, comprou/vendeu, começou/terminou, abriu/fechou, antes/depois, melhor/pior, bom/mau, fácil/difícil, grande/pequeno, grandes/pequenos, longo/curto, velho/novo, nova/velha, alto/baixo, alta/baixa, primeiro/último, primeira/última, forte/fraco, rápido/lento, público/privado, rico/pobre, norte/sul, quente/frio',
  hi: 'बढ़ा/घटा, बढ़ी/घटी, बढ़ गई/घट गई, अधिक/कम, ज़्यादा/कम, स्वीकार/अस्वीकार, जीता/हारा, खरीदा/बेचा, शुरू/समाप्त, सफल/असफल, पहले/बाद, गर्म/ठंडा, बेहतर/बदतर, अच्छा/बुरा, आसान/कठिन, संभव/असंभव, बड़ा/छोटा, बड़ी/छोटी, बड़े/छोटे, पुराना/नया, पुरानी/नई, ऊपर/नीचे, समर्थन/विरोध, उत्तर/दक्षिण, पूर्व/पश्चिम, अमीर/गरीब',
  ar: 'ارتفع/انخفض, ارتفعت/انخفضت, زاد/انخفض, زادت/انخفضت, أكثر/أقل, وافق/رفض, وافقت/رفضت, سمح/منع, فاز/خسر, اشترى/باع, بدأ/انتهى, بدأت/انتهت, نجح/فشل, قبل/بعد, أفضل/أسوأ, جيد/سيئ, سهل/صعب, كبير/صغير, كبيرة/صغيرة, طويل/قصير, طويلة/قصيرة, قديم/جديد, قديمة/جديدة, قوي/ضعيف, الشمالية/الجنوبية, الشرقية/الغربية',
  ja: '増えました/減りました, 増加/減少, 上昇/下落, 承認/拒否, 許可/禁止, 始まりました/終わりました, 開始/終了, 成功/失敗, 簡単/困難, 安全/危険, 大きな/小さな, 大きく/小さく, 長い/短い, 古い/新しい, 支持/反対, 輸入/輸出, 男性/女性, 最初/最後, 夏/冬, 高く/安く, 冷たい/熱い, 強い/弱い',
  ko: '증가했/감소했, 늘었/줄었, 올랐/내렸, 승인/거부, 허용/금지, 시작/종료, 성공/실패, 따뜻한/추운, 쉬운/어려운, 가능/불가능, 안전/위험, 큰/작은, 높은/낮은, 새로운/낡은, 지지/반대, 수입/수출, 남성/여성, 많은/적은, 빠르/느리, 이익/손실',
  zh: '上升/下降, 增加/减少, 增长/下降, 上涨/下跌, 批准/拒绝, 接受/拒绝, 允许/禁止, 获胜/落败, 开始/结束, 成功/失败, 之前/之后, 简单/困难, 安全/危险, 合法/非法, 便宜/昂贵, 高于/低于, 支持/反对, 进口/出口, 第一/最后, 最大/最小, 最高/最低, 更多/更少, 以上/以下, 相同/不同',
}
