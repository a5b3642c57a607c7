/** The fixed texts of an infographic and its description. */
interface InfographicLabels {
  /** Heading of the time that each part takes. */
  time: string
  /** Below an infographic that a model wrote. */
  checked: string
  /** Below an infographic with sentences of the transcript. */
  sentences: string
  /** Beginning of the description; `{title}` and `{channel}` are replaced. */
  about: string
}

const LABELS: Record<string, InfographicLabels> = {
  en: {
    time: 'Where the time goes',
    checked: 'Every statement was checked against the transcript.',
    sentences: 'Sentences of the transcript.',
    about: 'Infographic about the video “{title}” by {channel}.',
  },
  de: {
    time: 'Wie viel Zeit wofür',
    checked: 'Jede Aussage ist am Transkript geprüft.',
    sentences: 'Sätze aus dem Transkript.',
    about: 'Infografik zum Video „{title}“ von {channel}.',
  },
  es: {
    time: 'El tiempo por tema',
    checked: 'Cada afirmación se ha comprobado en la transcripción.',
    sentences: 'Frases de la transcripción.',
    about: 'Infografía del vídeo «{title}» de {channel}.',
  },
  fr: {
    time: 'Le temps par sujet',
    checked: 'Chaque affirmation a été vérifiée dans la transcription.',
    sentences: 'Phrases de la transcription.',
    about: 'Infographie de la vidéo « {title} » de {channel}.',
  },
  pt: {
    time: 'O tempo por assunto',
    checked: 'Cada afirmação foi conferida na transcrição.',
    sentences: 'Frases da transcrição.',
    about: 'Infográfico do vídeo “{title}”, de {channel}.',
  },
  it: {
    time: 'Il tempo per argomento',
    checked: 'Ogni affermazione è stata verificata nella trascrizione.',
    sentences: 'Frasi della trascrizione.',
    about: 'Infografica del video «{title}» di {channel}.',
  },
  ru: {
    time: 'Время по темам',
    checked: 'Каждое утверждение проверено по расшифровке.',
    sentences: 'Фразы из расшифровки.',
    about: 'Инфографика по видео «{title}», канал {channel}.',
  },
  ja: {
    time: '話題ごとの時間',
    checked: 'すべての記述を文字起こしと照合しています。',
    sentences: '文字起こしからの引用です。',
    about: '{channel}の動画「{title}」のインフォグラフィック。',
  },
  ko: {
    time: '주제별 시간',
    checked: '모든 문장을 자막과 대조했습니다.',
    sentences: '자막에서 가져온 문장입니다.',
    about: '{channel}의 동영상 ‘{title}’ 인포그래픽.',
  },
  zh: {
    time: '各部分的时间',
    checked: '每句话都与字幕核对过。',
    sentences: '句子摘自字幕。',
    about: '{channel} 的视频《{title}》的信息图。',
  },
  'zh-Hant': {
    time: '各部分的時間',
    checked: '每句話都與字幕核對過。',
    sentences: '句子摘自字幕。',
    about: '{channel} 的影片《{title}》的資訊圖表。',
  },
  hi: {
    time: 'किस विषय पर कितना समय',
    checked: 'हर कथन की प्रतिलेख से जाँच की गई है।',
    sentences: 'प्रतिलेख के वाक्य।',
    about: '{channel} के वीडियो “{title}” का इन्फ़ोग्राफ़िक।',
  },
  ar: {
    time: 'الوقت لكل موضوع',
    checked: 'رُوجعت كل عبارة على نص الفيديو.',
    sentences: 'جمل من نص الفيديو.',
    about: 'رسم توضيحي للفيديو «{title}» من {channel}.',
  },
}

/** Returns the labels of a language (BCP-47), or English ones. */
export function selectInfographicLabels(tag: string): InfographicLabels {
  const { language, script } = new Intl.Locale(tag).maximize()
  return (
    LABELS[`${language}-${script}`] ??
    LABELS[language] ??
    LABELS.en ?? { time: '', checked: '', sentences: '', about: '' }
  )
}
