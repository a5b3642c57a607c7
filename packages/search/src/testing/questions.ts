import { SAMPLE_TALKS } from '@subtext/fakes'

/** A question about a sample talk, and words of the only line that answers it. */
type Question = [question: string, answer: string]

/** Worded as people ask: in other forms and another order than the talk. */
export const QUESTIONS: Record<string, { talk: keyof typeof SAMPLE_TALKS; questions: Question[] }> = {
  en: {
    talk: 'english',
    questions: [
      ['Where was Tharp born?', 'born in Michigan'],
      ['What did her father do for the government?', 'Her father drew soil maps'],
      ['Why could women study geology during the war?', 'short of men'],
      ['Who collected the soundings at sea?', 'He went to sea'],
      ['How fast does sound travel in sea water?', 'fifteen hundred meters'],
      ['How many profiles did she plot?', 'six profiles across the North Atlantic'],
      ['What shape does the deep valley have?', 'shaped like a V'],
      ['What did Heezen call her finding?', 'girl talk'],
      ['How long did convincing Heezen take?', 'better part of a year'],
      ['Who plotted earthquakes?', 'Howard Foster'],
      ['How many kilometers long is the ridge?', 'sixty-five thousand'],
      ['Did Cousteau film the ridge?', 'He towed a camera'],
      ['Where was the film shown?', 'congress in New York'],
      ['Why were contour maps not printed?', 'military secret'],
      ['Which artist painted the world ocean?', 'Heinrich Berann'],
    ],
  },
  de: {
    talk: 'german',
    questions: [
      ['Wer verlässt den Stock, wenn das Volk zu groß ist?', 'zieht die alte Königin'],
      ['Woran hängen die Bienen nach dem Auszug?', 'wie eine Traube'],
      ['Wie viele Liter fasst eine gute Höhle?', 'vierzig Liter'],
      ['Wohin soll das Flugloch zeigen?', 'nach Süden'],
      ['Wie schätzt eine Kundschafterin die Größe ab?', 'läuft die Wände'],
      ['Welcher Forscher hat den Tanz entschlüsselt?', 'Karl von Frisch'],
      ['Wann gab es den Nobelpreis?', '1973'],
      ['Was sagt der Winkel des Tanzes aus?', 'Der Winkel zur Senkrechten'],
      ['Woran erkennt man die Entfernung?', 'Dauer des Wackelns'],
      ['Womit waren die schmutzigen Tänzerinnen bedeckt?', 'Ruß und Ziegelstaub'],
      ['Warum wird für einen guten Ort länger getanzt?', 'Für gute Orte'],
      ['Wozu dient das Stoppsignal?', 'Dieses Stoppsignal'],
      ['Bei wie vielen Kundschafterinnen ist die Schwelle erreicht?', 'zwanzig bis dreißig'],
      ['Welche Geräusche machen die Bienen vor dem Abflug?', 'hohes Pfeifen'],
      ['Welche Regeln für Sitzungen gibt es?', 'Regeln für Sitzungen'],
    ],
  },
  ko: {
    talk: 'korean',
    questions: [
      ['소금은 배추의 물을 어떻게 하나요?', '삼투 현상'],
      ['세균이 짠 곳에서 살 수 있나요?', '썩게 하는 많은 세균'],
      ['김치의 소금 농도는 얼마인가요?', '이 퍼센트'],
      ['찹쌀풀을 왜 넣나요?', '찹쌀풀을 넣는'],
      ['감칠맛은 어디서 오나요?', '감칠맛이 됩니다'],
      ['젖산균은 원래 어디에 사나요?', '배추 잎에 살고'],
      ['처음에 활발한 젖산균의 이름은?', '류코노스톡이라는'],
      ['국물이 톡 쏘는 이유는?', '톡 쏘는'],
      ['가장 맛있는 산도는?', '산도가'],
      ['항아리를 어디에 묻었나요?', '땅에 묻었습니다'],
      ['옹기의 구멍은 무엇을 하나요?', '작은 구멍'],
      ['김치냉장고는 무엇을 흉내 냈나요?', '흉내 낸 기계'],
      ['신 김치는 어떤 요리에 어울리나요?', '찌개와 볶음밥'],
      ['돼지고기의 느끼함은 무엇이 잡나요?', '돼지고기의 느끼한'],
      ['묵은지란 무엇인가요?', '묵은지는'],
    ],
  },
  ja: {
    talk: 'japanese',
    questions: [
      ['最も古い戸籍はどこにありますか', '正倉院'],
      ['和紙の原料は何ですか', '楮という木'],
      ['楮の繊維の長さは何ミリですか', '十ミリ'],
      ['なぜ薄くても破れないのですか', '薄くても破れにくい'],
      ['灰の湯の性質は？', 'アルカリ性です'],
      ['ごみはどうやって取り除きますか', '指で一つずつ'],
      ['トロロアオイから何を取りますか', 'トロロアオイ'],
      ['職人はその液を何と呼びますか', 'これを「ねり」と'],
      ['流し漉きとは何ですか', '流し漉き'],
      ['ねりは糊ですか', '糊ではありません'],
      ['インクのにじみを止めるには何を使いましたか', '硫酸アルミニウム'],
      ['図書館は何と呼びましたか', 'スローファイア'],
      ['美術館では和紙を何に使いますか', '裏に、ごく薄い'],
      ['一番薄い和紙は何グラムですか', '二グラム'],
      ['無形文化遺産になったのはいつですか', '無形文化遺産'],
    ],
  },
}

/** Returns the lines of a talk as the segments of a transcript. */
export const cuesOf = (talk: keyof typeof SAMPLE_TALKS) => [...(SAMPLE_TALKS[talk].tracks[0]?.cues() ?? [])]
