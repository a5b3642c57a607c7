import type { SummarySource } from '../pipeline/ports.ts'
import type { Pace } from './pacer.ts'

/** What orders to a model look like. Words may stand between; none of it proves anything, so nothing is refused for it. */
const ORDERS = [
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,30}\b(?:previous|prior|above|earlier|preceding|all|any|your|the system|these|those)\b.{0,25}\b(?:instructions?|prompts?|rules?|messages?|orders?|directions?|guidelines?)/,
  /\b(?:reveal|print|show|repeat|output|tell|leak|write|give|quote|display|translate)\b.{0,40}\b(?:system prompt|system message|your (?:instructions|prompt|rules)|hidden prompt|initial prompt|api keys?)/,
  /\b(?:you are now|from now on,? you|you must now|switch to)\b.{0,60}\b(?:assistant|ai|model|mode|dan|pirate|unrestricted|persona|role|admin|root|jailbreak\w*|language)\b/,
  /\b(?:act as|pretend to be|roleplay as)\b.{0,25}\b(?:assistant|ai|dan|pirate|unrestricted|persona|role|admin|root)\b/,
  /\b(?:developer|jailbreak|dan|god|debug|admin) mode\b/,
  /\bnew (?:system )?(?:instructions?|rules?|prompt)\s*:/,
  /(?:^|["'>}.!?])\s*system\s*:\s*\S|\b(?:human|user)\s*:.{0,120}\bassistant\s*:/,
  /"role"\s*:\s*"(?:system|assistant|user)"/,
  /<\|?\s*(?:im_start|im_end|endoftext|system|assistant)|\[\/?inst\]|‹\s*\/?\s*(?:transcript|video|focus|notes|chapter|before|document|system|instructions?)\b|<\s*\/?\s*(?:transcript|video|focus|notes|document|system|instructions?)\b/,
  /\b(?:ai|assistant|language model|llm|summari[sz]er|chatgpt|claude|gpt)\b.{0,40}\b(?:must|should|shall|has to|please|ignore|obey|comply)\b/,
  /\b(?:include|insert|add|append|put|output|emit|begin|end)\b.{0,40}\b(?:this link|the link|html|<\w+|markdown|script tag|in (?:your|every|the) (?:summary|answer|output|response))/,
  /ignorier\w*.{0,30}(?:anweisung|regel|vorgabe|befehl)|(?:system-?prompt|systemanweisung)/,
  /ignor[ae]\w*.{0,30}(?:instru[cç]|orden|regla|regra|consigne|règle)|oubli\w+.{0,30}(?:instruction|consigne)|olvid\w+.{0,30}instruccion|esque[çc]\w+.{0,30}instru/,
  /игнорир\S*.{0,30}(?:инструкц|указан|правил)|забудь.{0,30}инструкц/,
  /(?:忽略|无视|無視|忘记|忘記).{0,15}(?:指令|指示|提示|说明|說明|规则|規則)|(?:指示|命令|プロンプト|ルール).{0,10}(?:無視|忘れ)|系统提示|系統提示|システムプロンプト/,
  /(?:지시|명령|프롬프트|규칙).{0,12}(?:무시|잊)|시스템 프롬프트/,
  /(?:निर्देश|आदेश|नियम).{0,25}(?:अनदेखा|अनदेखी|नज़रअंदाज|भूल)/,
  /(?:تجاهل|انس).{0,25}(?:التعليمات|الأوامر|القواعد)/,
]
/** Tag characters and runs of invisible ones carry text that people do not see. */
const HIDDEN = /[\u{E0020}-\u{E007F}]|[\u200B-\u200D\u2060-\u2064]{3}|[\u202A-\u202E\u2066-\u2069]/u
const ANY_ORDER = new RegExp(ORDERS.map((pattern) => `(?:${pattern.source})`).join('|'), 'u')

/** Long enough to be looked at as one, with what comes along of the one before. */
const PIECE_CHARS = 800
const TAIL_CHARS = 160
const MAX_LINE_CHARS = 4_000
const INVISIBLE = /[\u00AD\u200B-\u200F\u2060-\u2064\uFEFF]/g

const looksLikeOrder = (text: string): boolean =>
  HIDDEN.test(text) || ANY_ORDER.test(text.normalize('NFKC').replace(INVISIBLE, '').replace(/\s+/g, ' ').toLowerCase())

/**
 * Whether the video holds what looks like orders to a language model: in its title, description, chapters or in what is
 * said, also where captions break it into several lines. A hint for people; the defences do not depend on it.
 */
export async function suspectInjection({ video, cues }: SummarySource, pace: Pace): Promise<boolean> {
  const around = [video.title, video.channel.name, ...video.chapters.map(({ title }) => title)]
  if ([...around, video.description].some((text) => looksLikeOrder(text.slice(0, MAX_LINE_CHARS)))) return true
  let piece = ''
  for (const { text } of cues) {
    await pace()
    piece = `${piece} ${text.slice(0, MAX_LINE_CHARS)}`
    if (piece.length < PIECE_CHARS) continue
    if (looksLikeOrder(piece)) return true
    piece = piece.slice(-TAIL_CHARS)
  }
  return looksLikeOrder(piece)
}
