import { describeSpeech, type TableLanguage } from './speech.ts'

/** The only words of an extractive summary that are not from the transcript. */
export interface FixedHeadings {
  takeaways: string
  actions: string
  keyTerms: string
  timeline: string
  questions: string
}

const FIXED_HEADINGS: Record<TableLanguage, FixedHeadings> = {
  en: {
    takeaways: 'Key takeaways',
    actions: 'What to do',
    keyTerms: 'Key terms',
    timeline: 'Timeline',
    questions: 'Questions',
  },
  es: {
    takeaways: 'Ideas clave',
    actions: 'Qué hacer',
    keyTerms: 'Términos clave',
    timeline: 'Cronología',
    questions: 'Preguntas',
  },
  fr: {
    takeaways: 'Points essentiels',
    actions: 'À faire',
    keyTerms: 'Termes clés',
    timeline: 'Chronologie',
    questions: 'Questions',
  },
  de: {
    takeaways: 'Wichtigste Erkenntnisse',
    actions: 'Was zu tun ist',
    keyTerms: 'Schlüsselbegriffe',
    timeline: 'Zeitlicher Ablauf',
    questions: 'Fragen',
  },
  pt: {
    takeaways: 'Principais ideias',
    actions: 'O que fazer',
    keyTerms: 'Termos-chave',
    timeline: 'Linha do tempo',
    questions: 'Perguntas',
  },
  ja: { takeaways: '要点', actions: '実践すること', keyTerms: '重要な用語', timeline: '時系列', questions: '確認問題' },
  ko: {
    takeaways: '핵심 내용',
    actions: '실천할 점',
    keyTerms: '주요 용어',
    timeline: '시간순 정리',
    questions: '확인 질문',
  },
  zh: { takeaways: '要点', actions: '行动建议', keyTerms: '关键术语', timeline: '时间线', questions: '自测问题' },
  'zh-Hant': {
    takeaways: '要點',
    actions: '行動建議',
    keyTerms: '關鍵術語',
    timeline: '時間軸',
    questions: '自測問題',
  },
  hi: { takeaways: 'मुख्य बातें', actions: 'क्या करें', keyTerms: 'मुख्य शब्द', timeline: 'समयरेखा', questions: 'प्रश्न' },
}

/** Returns the headings of a language, in English if there is no table for it. */
export const selectFixedHeadings = (language: TableLanguage | null): FixedHeadings => FIXED_HEADINGS[language ?? 'en']

/** Returns the headings of a language, or null if there is no table for it. `language`: BCP-47. */
export function findFixedHeadings(language: string): FixedHeadings | null {
  const { tag, language: table } = describeSpeech(language, [])
  return table && tag === table ? FIXED_HEADINGS[table] : null
}
