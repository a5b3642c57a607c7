import { measureGrowth } from '@subtext/runtime/testing'
import { dropInventedTimes } from './drop-invented-times.ts'

test.each([
  ['At 12:34 bees dance', 'Bees dance'],
  ['[01:02:03] Bees dance', 'Bees dance'],
  ['Bees dance (12:34).', 'Bees dance.'],
  ['12:34 - Bees dance', 'Bees dance'],
  ['Bees dance [12, 13]', 'Bees dance'],
  ['Bees dance (segments 12-14).', 'Bees dance.'],
  ['Bees dance at 3m20s', 'Bees dance'],
  ['12分34秒に踊る', 'に踊る'],
  ['Bees dance (at 12:34), then rest', 'Bees dance, then rest'],
  ['Bees dance (from 12:34 to 13:00)', 'Bees dance'],
  ['12:34–13:00 Bees dance', 'Bees dance'],
  ['{12:34} Bees ⟨12:34⟩ dance', 'Bees dance'],
  ['00:01:02,500 Bees dance 01:02:03.456', 'Bees dance'],
  ['１２：３４ Bees dance', 'Bees dance'],
  ['١٢:٣٤ النحل يرقص', 'النحل يرقص'],
  ['१२:३४ मधुमक्खियाँ नाचती हैं', 'मधुमक्खियाँ नाचती हैं'],
  ['Bees dance, 12:34 pm', 'Bees dance'],
  ['Bees dance at 2 min 5 sec and at 1h2m3s', 'Bees dance and'],
  ['Um 12:34 tanzen Bienen', 'Tanzen Bienen'],
  ['Bienen tanzen (ab 2 Minuten und 30 Sekunden)', 'Bienen tanzen'],
  ['Vers 12h34, les abeilles dansent', 'Les abeilles dansent'],
  ['第3分：蜜蜂跳舞', '蜜蜂跳舞'],
  ['1時間2分に踊る', 'に踊る'],
  ['蜜蜂在1小时2分钟跳舞', '蜜蜂在 跳舞'],
  ['[1小时2分钟] 蜜蜂跳舞', '蜜蜂跳舞'],
  ['3분 20초에 춤춘다', '에 춤춘다'],
  ['Minute 7: bees dance', 'Bees dance'],
  ['Bees dance at the 7-minute mark', 'Bees dance at the'],
  ['Bees dance at the 2 hour 3 minute mark', 'Bees dance at the'],
  ['Bees dance t=754s', 'Bees dance'],
  ['Bees dance 12′34″', 'Bees dance'],
  ['Bees dance 1:2:3', 'Bees dance'],
  ['Bees dance 12 : 34', 'Bees dance'],
  ['At 12 : 34 bees dance', 'Bees dance'],
  ['Bees 01 : 02 : 03 dance', 'Bees dance'],
  ['Bees dance 12 :34', 'Bees dance'],
  ['00:00:12:34 Bees dance', 'Bees dance'],
  ['Bees dance 12﹕34', 'Bees dance'],
  ['Bees dance 12꞉34', 'Bees dance'],
  ['Bees dance v.12:34', 'Bees dance v.'],
  ['12:34: Bees dance', 'Bees dance'],
  ['Bees dance ?t=754', 'Bees dance'],
  ['Bees dance t=12m34s', 'Bees dance'],
  ['Bees dance 12m 30s', 'Bees dance'],
  ['Bees dance from 2 minutes and 5 seconds', 'Bees dance'],
  ['Bees dance [2 hours and 5 minutes]', 'Bees dance'],
  ['Bees dance (at 12:34 p.m.)', 'Bees dance'],
  ['12:34 Uhr - Bees dance', 'Bees dance'],
  ['Bees dance at 99:59 pm', 'Bees dance'],
])('shortens %j to %j when nobody said the time', (text, kept) => {
  // The digits occur, but not as a time.
  const said = 'bees dance beside number 1234 for 12 and 112 bees, 34 of them old, 100 flowers'
  expect(dropInventedTimes(text, said)).toBe(kept)
  expect(dropInventedTimes(text, '')).toBe(kept)
})

test.each([
  ['The train leaves at 12:30', 'the train leaves at 12 30 sharp'],
  ['The train leaves at 12:30', 'the train leaves at 12:30'],
  ['The shop opens at 9:00', "the shop opens at 9 o'clock"],
  ['The shop opens at 9:00', 'the shop opens at 9 a.m. every day'],
  ['Der Laden öffnet um 9:00', 'der Laden öffnet um 9 Uhr'],
  ['店は9時30分に開く', '店は9時30分に開きます'],
  ['गाड़ी १२:३० पर चलती है', 'गाड़ी 12:30 पर'],
  ['The record is 2 minutes and 5 seconds', 'the record is 2 minutes 5 seconds'],
  ['Founded early (1948)', 'in 1948 it was founded'],
  ['The store opens at 7:30 daily', 'the store opens at seven thirty daily'],
  ['The store opens at 7:45 daily', 'the store opens at seven forty-five daily'],
  ['The store opens at 7:05 daily', 'the store opens at seven oh five daily'],
  ['7:30 a.m.: the store opens', 'Seven thirty, the store opens'],
  ['John 3:16 is quoted', 'he quotes John 3 16'],
  ['He is 5\'10" tall', 'he is 5 foot 10'],
  ['The goal fell in minute 90', 'it was minute 90'],
])('keeps %j because of %j', (text, said) => {
  expect(dropInventedTimes(text, said)).toBe(text)
})

test.each([
  'Pipes of 10 m, 20 m and 30 m are laid',
  'Runs from 10 m to 20 m and at 5 s, 10 s are timed',
  'It takes 2 hours and 30 minutes',
  'It takes about 2 hours and 30 minutes, or at least 1 hour 5 minutes',
  'It takes around 2 hours and 30 minutes',
  'Es dauert 2 Stunden und 30 Minuten',
  '完成には5分30秒間',
  '5分30秒かかる',
  '完成に2時間30分かかる',
  '需要2小时30分钟。',
  'The store opens at 7:30 a.m. daily',
  'The store opens from 7:30 a.m. to 9:00 p.m.',
  'Der Laden öffnet um 7:30 Uhr',
  'La boutique ouvre à 7h30 tous les jours',
  'Set t = 5 and solve',
  'Set t=5 and solve',
  'He is 5\'10" tall',
  'A ratio of 16:9 and 3.5 percent',
  'Boil for 5 minutes, then wait 30 seconds',
  '5分間ゆでる',
  '煮 5 分钟',
  'It runs 100 m in 12 s',
  'Every minute 7 children are born',
  'Chapter 3, verse 4, in 1948',
  'Route 66 and the 90th minute',
  'no digits at all (at noon)',
])('finds no position in %j', (text) => {
  expect(dropInventedTimes(text, '')).toBe(text)
})

test('removes a year that nobody said together with its brackets', () => {
  expect(dropInventedTimes('Founded early (1948)', 'it was founded')).toBe('Founded early')
  expect(dropInventedTimes('Founded early (48)', 'founded in 1948')).toBe('Founded early')
})

test.each(['1', '1:', '12:34 ', '(', '[1,', 'at ', '第1', '1 m ', 'minute 1 ', '٣'])(
  'takes time in proportion to the length of many %j',
  async (piece) => {
    const evidence = 'said 12 and 34 '.repeat(400)
    const drop = (length: number) => dropInventedTimes(piece.repeat(length / piece.length), evidence)
    expect(await measureGrowth(drop, { small: 12_500, large: 100_000 })).toBeLessThan(3)
  },
)
