import type { Cue } from '@subtext/contracts'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { type CheckedStatement, createStatementCheck } from './check-statement.ts'
import { swapsSubjects } from './checks/subjects.ts'
import { loadLanguageDetector } from './language/detect-language.ts'
import { createStemFinder } from './language/find-stems.ts'

const detect = await loadLanguageDetector()

const ARABIC = [
  'وُلدت مريم في مدينة صغيرة قرب البحر.',
  'لم يسمح لها الربان بالصعود إلى السفينة.',
  'رسمت خريطة قاع المحيط من أرقام جمعها زملاؤها.',
  'لا تنمو هذه الشجرة في الظل.',
  'هي التي اكتشفت الوادي العميق في وسط المحيط.',
].map((text, index): Cue => ({ startMs: index * 4_000, durationMs: 3_900, text }))

const TALKS: Record<string, Cue[]> = {
  ar: ARABIC,
  ...Object.fromEntries(
    Object.values(SAMPLE_TALKS).map(({ tracks }) => [
      tracks[0]?.language.split('-')[0] ?? '',
      [...(tracks[0]?.cues() ?? [])],
    ]),
  ),
}

/** Checks a statement of a talk that marks the lines with these words. */
function check(trackLanguage: string, text: string, marked: string[], language = trackLanguage): CheckedStatement {
  const cues = TALKS[trackLanguage] ?? []
  const idOf = (words: string): number => {
    const id = cues.findIndex((cue) => cue.text.includes(words)) + 1
    if (id === 0) throw new Error(`No line of the talk says: ${words}`)
    return id
  }
  const statementCheck = createStatementCheck({
    cues,
    published: ['A talk'],
    trackLanguage,
    language,
    detect,
    isLeak: () => false,
  })
  const quotes = marked.map((words) => (language === trackLanguage ? null : words))
  return statementCheck({ text, segmentIds: marked.map(idOf), quotes })
}

const resultOf = (checked: CheckedStatement): string => ('dropped' in checked ? checked.dropped : 'shown')

test('shows every line of every talk as a statement about itself', () => {
  const lost = Object.entries(TALKS).flatMap(([language, cues]) =>
    cues.map(({ text }) => [language, text, resultOf(check(language, text, [text]))] as const),
  )
  expect(lost.length).toBeGreaterThan(350)
  // Some lines say too little to be supported by anything: a greeting, or words without a topic.
  const reasons = lost.filter(([, , result]) => result !== 'shown')
  expect(reasons.filter(([, text, result]) => result !== 'unsupported' || text.length > 45)).toEqual([])
})

/** What a line says, with a negation taken away or put in. */
const OPPOSITES: [language: string, line: string, statement: string][] = [
  ['en', 'not allowed on the ship', 'She was allowed on the ship.'],
  ['en', 'born in Michigan', 'Tharp was not born in Michigan.'],
  ['en', 'never saw the sea floor', 'Marie Tharp saw the sea floor she mapped.'],
  ['en', 'contour maps could not be printed', 'Contour maps could be printed in those years.'],
  ['en', 'the valley, all the way down', 'The earthquakes never sat inside the valley.'],
  ['en', 'women were considered bad luck', "Women weren't considered bad luck on board."],
  ['de', 'Sie warben nicht für Blüten', 'Sie warben für Blüten.'],
  ['de', 'aber sie lenkt es nicht', 'Die Leitung lenkt das Gespräch.'],
  ['de', 'Die Königin befiehlt dabei nichts', 'Die Königin befiehlt dabei.'],
  ['de', 'nach Süden zeigen', 'Das Flugloch soll nicht nach Süden zeigen.'],
  ['es', 'la diversidad no es un adorno', 'La diversidad es un adorno.'],
  ['es', 'no aparecía en la Biblia', 'La papa aparecía en la Biblia.'],
  ['es', 'causaba la lepra', 'Algunos decían que no causaba la lepra.'],
  ['es', 'salió de la cárcel', 'Nunca salió de la cárcel perfectamente sano.'],
  ['fr', 'La croûte ne peut pas suivre', 'La croûte peut suivre.'],
  ['fr', 'Les boulangers disent', 'Les boulangers ne disent pas que le pain chante.'],
  ['fr', 'Un pain qui ne chante pas', 'Un pain qui chante a souvent une croûte trop molle.'],
  ['pt', 'A luz não desce mais de cima', 'A luz desce de cima.'],
  ['pt', 'um incêndio que não existia', 'Os bombeiros saíram para apagar um incêndio que existia.'],
  ['pt', 'a mesma resposta', 'As duas perguntas não têm a mesma resposta.'],
  ['ja', 'ねりは糊ではありません', 'ねりは糊です。'],
  ['ja', '酸がなければ', '酸があれば、繊維は切れません。'],
  ['ja', '灰の湯はアルカリ性です', '灰の湯はアルカリ性ではありません。'],
  ['ko', '온도가 거의 변하지 않습니다', '겨울철 땅속은 온도가 변합니다.'],
  ['ko', '항아리를 땅에 묻었습니다', '옛사람들은 항아리를 땅에 묻지 않았습니다.'],
  ['ko', '완성되는 음식이 아니라', '김치는 완성되는 음식입니다.'],
  ['zh', '所以立春不是一整天', '立春是一整天。'],
  ['zh', '节气完全由太阳决定', '节气不是由太阳决定的。'],
  ['zh', '不分时间', '新的办法是分时间。'],
  ['hi', 'संख्या नहीं मानते थे', 'वे उस निशान को संख्या मानते थे।'],
  ['hi', 'शून्य जोड़ने या घटाने से', 'शून्य जोड़ने या घटाने से संख्या बदलती है।'],
  ['hi', 'शून्य का अर्थ है ख़ाली', 'संस्कृत में शून्य का अर्थ ख़ाली नहीं है।'],
  ['ar', 'لم يسمح لها الربان', 'سمح لها الربان بالصعود إلى السفينة.'],
  ['ar', 'لا تنمو هذه الشجرة', 'تنمو هذه الشجرة في الظل.'],
  ['ar', 'رسمت خريطة', 'لم ترسم خريطة قاع المحيط من أرقام جمعها زملاؤها.'],
]

test.each(OPPOSITES)('leaves out what says the opposite of its line, in %s: %s: %s', (language, line, statement) => {
  expect(resultOf(check(language, statement, [line]))).not.toBe('shown')
})

test('says for most opposites that the lines contradict them', () => {
  const reasons = OPPOSITES.map(([language, line, statement]) => resultOf(check(language, statement, [line])))
  expect(reasons.filter((reason) => reason === 'contradicted').length).toBeGreaterThan(OPPOSITES.length * 0.8)
})

test.each([
  ['the other person', 'He was not allowed on the ship.', 'not allowed on the ship'],
  ['the name of somebody else', 'The earthquakes were plotted by Cousteau.', 'hired to plot earthquakes'],
  ['a name instead of another', 'In 1959 Cousteau was hired to plot earthquakes.', 'hired to plot earthquakes'],
])('leaves out a statement that gives what a line says to %s', (_, statement, line) => {
  expect(resultOf(check('en', statement, [line]))).not.toBe('shown')
})

test.each([
  ['Karl von Frisch entschlüsselt', 'Der Bericht ist ein Tanz, den Karl Lorenz entschlüsselt hat.'],
  [
    'Martin Lindauer',
    'Sein Schüler Gregor Mendel sah nach dem Krieg einen Schwarm mit seltsam schmutzigen Tänzerinnen.',
  ],
  ['Thomas Seeley fand heraus', 'Der Biologe Charles Darwin fand heraus, worauf es ankommt.'],
  ['nach Süden zeigen', 'Das Flugloch soll klein sein, nach Osten zeigen und hoch über dem Boden liegen.'],
  ['Größe abzuschätzen', 'Eine Kundschafterin läuft die Wände innen ab, um Hamburg abzuschätzen.'],
])(
  'leaves out a statement in German with a name that nobody says in place of one of its line: %s: %s',
  (line, statement) => {
    expect(resultOf(check('de', statement, [line]))).toBe('unknown_name')
  },
)

test('tells a man from a woman by words of their own, and not by others that are written with them', () => {
  const swaps = (statement: string, lines: string, language: string) =>
    swapsSubjects(statement, { lines, near: lines }, language, createStemFinder(language))
  expect(swaps('他把地图画完了。', '她把地图画完了。', 'zh')).toBe(true)
  expect(swaps('她把地图画完了。', '她把地图画完了。', 'zh')).toBe(false)
  expect(swaps('其他地图也画完了。', '她把其他地图也画完了。', 'zh')).toBe(false)
  expect(swaps("He's drawn the map of the valley.", "She's drawn the map of the valley.", 'en')).toBe(true)
  expect(swaps('هو رسم خريطة الوادي.', 'هي رسم خريطة الوادي.', 'ar')).toBe(true)
})

test('leaves out a statement in which two people have changed places', () => {
  TALKS.swap = ['When they met, Tharp showed Heezen the valley on her map.', 'He groaned.'].map((text, index) => ({
    startMs: index * 4_000,
    durationMs: 3_900,
    text,
  }))
  const cues = TALKS.swap
  const statementCheck = createStatementCheck({
    cues,
    published: [],
    trackLanguage: 'en',
    language: 'en',
    detect,
    isLeak: () => false,
  })
  const resultFor = (text: string) => resultOf(statementCheck({ text, segmentIds: [1] }))
  expect(resultFor('When they met, Heezen showed Tharp the valley on her map.')).toBe('contradicted')
  expect(resultFor('When they met, Tharp showed Heezen the valley.')).toBe('shown')
  expect(resultFor('At that time, the valley on her map was shown to Heezen by Tharp.')).toBe('shown')
})

test.each([
  ['en', 'born in Michigan', 'Tharp was born in Michigan in 1920, because her parents had fled hunger.'],
  ['en', 'born in Michigan', 'Tharp was born in Michigan and secretly hated boats.'],
  [
    'en',
    'six profiles across',
    'She plotted six profiles across the North Atlantic, while drunken colleagues laughed.',
  ],
  ['de', 'nach Süden zeigen', 'Das Flugloch soll klein sein und nach Süden zeigen, weil Bären dort schlafen.'],
  ['es', 'diez años o más', 'El chuño bien guardado puede durar diez años, pero provoca terribles dolores.'],
  ['fr', 'Vers cinquante-cinq', 'Vers cinquante-cinq degrés elles meurent, mais leurs fantômes reviennent.'],
  [
    'pt',
    'Durante meses, o mundo',
    'Durante meses, o mundo inteiro viu crepúsculos cor de sangue, mas ninguém pagou impostos.',
  ],
  ['ja', '灰の湯はアルカリ性です', '灰の湯はアルカリ性で、宇宙人の秘密工場が管理しています。'],
  ['zh', '节气完全由太阳决定', '节气完全由太阳决定，外星飞船秘密控制天气。'],
  ['ko', '항아리를 땅에', '옛사람들은 항아리를 땅에 묻었습니다, 외계인 우주선 조종사들이 명령했습니다.'],
  ['hi', 'ब्रह्मगुप्त ने', 'ब्रह्मगुप्त ने शून्य के नियम लिखे, क्योंकि राजा को हाथियों से नफ़रत थी।'],
  ['ar', 'رسمت خريطة', 'رسمت خريطة قاع المحيط، لأن الملك أحب الفيلة البيضاء.'],
])('leaves out a statement with a clause that no line says, in %s: %s: %s', (language, line, statement) => {
  expect(resultOf(check(language, statement, [line]))).toBe('unsupported')
})

/** What a good model answers: in other words than the line, with what a line calls `she` by its name, and negated as it is. */
const GOOD: [language: string, lines: string[], statement: string][] = [
  ['en', ['born in Michigan'], 'Marie Tharp was born in 1920, in Michigan.'],
  [
    'en',
    ['not allowed on the ship'],
    'Tharp was not allowed on the ship, while Heezen went to sea and collected soundings.',
  ],
  ['en', ['not allowed on the ship', 'women were considered'], 'She was never allowed on the ship.'],
  ['en', ['not allowed on the ship'], 'He collected soundings at sea.'],
  ['en', ['never saw the sea floor'], 'Marie Tharp mapped the sea floor without ever having seen it.'],
  ['en', ['contour maps could not'], 'Contour maps could not be printed, because exact depths were a military secret.'],
  ['en', ['Not everybody was pleased'], 'Jacques Cousteau wanted to prove them wrong.'],
  ['en', ['hired to plot earthquakes'], 'Howard Foster plotted earthquakes at the same scale.'],
  ['en', ['girl talk'], 'He groaned and called what she showed him girl talk.'],
  ['en', ['where no ship had ever sailed'], 'The earthquakes let her follow the rift where no ship had sailed.'],
  ['en', ['as if the water had been drained'], 'Instead of contours, Tharp drew the floor as a landscape.'],
  ['de', ['Sie warben nicht für Blüten'], 'Die Tänzerinnen warben nicht für Blüten, sondern für Wohnungen.'],
  ['de', ['Niemand hat das Sagen'], 'Niemand hat das Sagen, und die Entscheidung muss schnell fallen.'],
  ['de', ['Keine beharrt'], 'Keine Biene beharrt auf ihrem Ort, auch wenn er der beste war.'],
  ['de', ['nach Süden zeigen'], 'Das Flugloch soll klein sein, hoch über dem Boden liegen und nach Süden zeigen.'],
  ['de', ['Gezählt wird nicht am Schwarm'], 'Gezählt wird am neuen Ort.'],
  [
    'de',
    ['Karl von Frisch entschlüsselt'],
    'Der Bericht der Kundschafterin ist ein Tanz, den Karl von Frisch entschlüsselt hat.',
  ],
  [
    'de',
    ['Karl von Frisch entschlüsselt', '1973 den Nobelpreis'],
    'Von Frisch hat den Tanz entschlüsselt und dafür 1973 den Nobelpreis bekommen.',
  ],
  ['de', ['1973 den Nobelpreis'], 'Karl von Frisch bekam 1973 den Nobelpreis.'],
  ['de', ['Thomas Seeley fand heraus'], 'Seeley, ein Biologe, fand heraus, worauf es ankommt.'],
  [
    'de',
    ['etwa vierzig Liter'],
    'Der Hohlraum soll etwa vierzig Liter fassen, damit der Vorrat für den Winter hineinpasst.',
  ],
  ['de', ['nach Süden zeigen'], 'Das Flugloch soll klein sein, nach Süden zeigen und hoch über der Erde liegen.'],
  ['de', ['Winkel zur Senkrechten'], 'Der Winkel zur Senkrechten gibt die Himmelsrichtung an, bezogen auf die Sonne.'],
  ['de', ['läuft die Wände innen ab'], 'Eine Späherin läuft die Wände innen ab, um die Größe abzuschätzen.'],
  ['de', ['nach Süden zeigen'], 'Das Flugloch der Höhle soll klein sein und nach Süden zeigen.'],
  ['de', ['untersuchen hohle Bäume'], 'Sie fliegen in jede Richtung und untersuchen jeden hohlen Baum.'],
  ['de', ['etwa vierzig Liter'], 'Die Höhle soll etwa vierzig Liter fassen, damit der Wintervorrat hineinpasst.'],
  ['de', ['läuft die Wände innen ab'], 'Die Kundschafterin läuft die Innenwände ab, um die Größe abzuschätzen.'],
  [
    'de',
    ['zieht die alte Königin'],
    'Wird ein Bienenvolk zu groß, zieht die alte Königin mit der Hälfte der Bienen aus.',
  ],
  ['de', ['Dauer des Wackelns'], 'Die Dauer des Wackelns gibt an, wie groß die Entfernung ist.'],
  ['de', ['bei jeder Biene von selbst nach'], 'Der Eifer der Bienen lässt von selbst nach.'],
  ['es', ['la diversidad no es un adorno'], 'La diversidad no es un adorno, sino un seguro.'],
  ['es', ['la diversidad no es un adorno'], 'La diversidad es un seguro.'],
  ['es', ['diez años o más'], 'El chuño bien guardado puede durar diez años o más.'],
  ['fr', ['La croûte ne peut pas suivre'], 'La croûte se fissure parce qu’elle ne peut pas suivre.'],
  ['fr', ['Le sel, lui, ne donne'], 'Le sel donne du goût, resserre le filet et ralentit la fermentation.'],
  ['fr', ['Sans lui, le gaz'], 'Sans le gluten, le gaz s’échapperait.'],
  ['pt', ['um incêndio que não existia'], 'Os bombeiros de Nova York saíram para apagar um incêndio que não existia.'],
  ['pt', ['O azul tem ondas mais curtas'], 'O azul tem ondas mais curtas do que o vermelho.'],
  ['ja', ['ねりは糊ではありません'], 'ねりは糊ではありません。'],
  ['ja', ['酸がなければ'], '酸がなければ繊維は切れません。'],
  ['ja', ['灰の湯はアルカリ性です'], '灰の湯はアルカリ性です。'],
  ['ko', ['온도가 거의 변하지 않습니다'], '겨울철 땅속은 하루 종일 온도가 거의 변하지 않습니다.'],
  ['ko', ['따로 균을 넣지 않아도'], '젖산균은 배추 잎에 살고 있으므로 균을 넣지 않아도 됩니다.'],
  ['zh', ['所以立春不是一整天'], '立春是一个瞬间，不是一整天。'],
  ['zh', ['节气完全由太阳决定'], '节气由太阳决定。'],
  ['hi', ['संख्या नहीं मानते थे'], 'बेबीलोन के लोग उस निशान को संख्या नहीं मानते थे।'],
  ['hi', ['शून्य का अर्थ है ख़ाली'], 'संस्कृत में शून्य का अर्थ ख़ाली है।'],
  ['ar', ['لم يسمح لها الربان'], 'لم يسمح لها الربان بالصعود إلى السفينة.'],
  ['ar', ['رسمت خريطة'], 'رسمت خريطة قاع المحيط من أرقام زملائها.'],
]

test.each(GOOD)('shows what its lines say in other words, in %s: %s: %s', (language, lines, statement) => {
  expect(resultOf(check(language, statement, lines))).toBe('shown')
})

test('leaves out a translation that negates what its lines say, or says without a negation what they quote with one', () => {
  expect(resultOf(check('en', 'Sie durfte auf das Schiff.', ['She was not allowed on the ship'], 'de'))).toBe(
    'contradicted',
  )
  expect(resultOf(check('en', 'Sie durfte nicht auf das Schiff.', ['She was not allowed on the ship'], 'de'))).toBe(
    'shown',
  )
  expect(resultOf(check('en', 'Tharp kam nicht in Michigan zur Welt.', ['Tharp was born in Michigan'], 'de'))).toBe(
    'contradicted',
  )
  expect(resultOf(check('en', 'Tharp kam in Michigan zur Welt.', ['Tharp was born in Michigan'], 'de'))).toBe('shown')
  expect(resultOf(check('en', '她可以上船。', ['She was not allowed on the ship'], 'zh'))).toBe('contradicted')
})
