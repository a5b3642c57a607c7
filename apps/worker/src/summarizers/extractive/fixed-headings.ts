import type { TableLanguage } from './speech.ts'

/** The only words of a summary that are not the transcript's own. */
export interface FixedHeadings {
  takeaways: string
  actions: string
  keyTerms: string
  timeline: string
}

const FIXED_HEADINGS: Record<TableLanguage, FixedHeadings> = {
  en: { takeaways: 'Key takeaways', actions: 'What to do', keyTerms: 'Key terms', timeline: 'Timeline' },
  es: { takeaways: 'Ideas clave', actions: 'Qué hacer', keyTerms: 'Términos clave', timeline: 'Cronología' },
  fr: { takeaways: 'Points essentiels', actions: 'À faire', keyTerms: 'Termes clés', timeline: 'Chronologie' },
  de: {
    takeaways: 'Wichtigste Erkenntnisse',
    actions: 'Was zu tun ist',
    keyTerms: 'Schlüsselbegriffe',
    timeline: 'Zeitlicher Ablauf',
  },
  pt: { takeaways: 'Principais ideias', actions: 'O que fazer', keyTerms: 'Termos-chave', timeline: 'Linha do tempo' },
  ja: { takeaways: '要点', actions: '実践すること', keyTerms: '重要な用語', timeline: '時系列' },
  ko: { takeaways: '핵심 내용', actions: '실천할 점', keyTerms: '주요 용어', timeline: '시간순 정리' },
  zh: { takeaways: '要点', actions: '行动建议', keyTerms: '关键术语', timeline: '时间线' },
  'zh-Hant': { takeaways: '要點', actions: '行動建議', keyTerms: '關鍵術語', timeline: '時間軸' },
  hi: { takeaways: 'मुख्य बातें', actions: 'क्या करें', keyTerms: 'मुख्य शब्द', timeline: 'समयरेखा' },
}

/** English where we have no table for the language. */
export const fixedHeadingsFor = (language: TableLanguage | null): FixedHeadings => FIXED_HEADINGS[language ?? 'en']
