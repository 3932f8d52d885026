// The plainest orders of an attack in other languages than English: to drop what was said before, and to
// keep something from the user. Words that ordinary descriptions in these languages do not have, without
// accents, as `plainText` gives them.

import type { SignGroup } from './sign.ts';
import { SORT } from './telling-words.ts';

const OVERRIDES: readonly RegExp[] = [
  // German, Dutch
  /\b(?:ignorier(?:e|en|t)|vergiss|missachte|verg(?:ess|iß)\w{0,2})\b.{0,40}\b(?:anweisung|vorgabe|regel|instruktion|befehl|sicherheitsricht)/,
  /\bnegeer\b.{0,40}\b(?:instructies|aanwijzingen|regels|opdrachten)/,
  // Spanish, Portuguese, Italian, French
  /\b(?:ignor[ae]n?|olvid[ae]n?|descart[ae]|esqueca|desconsider[ae]|dimentica|trascura)\b.{0,40}\b(?:instruccion|instruc|istruzion|regla|regra|regol|directri|ordenes)/,
  /\b(?:ignore[zr]?|oublie[zr]?|ne ten(?:ez|ir) pas compte)\b.{0,40}\b(?:instructions|consignes|regles|directives)\b.{0,20}\b(?:pr[ée]c[ée]dentes|ant[ée]rieures|ci-dessus)|\b(?:ignore[zr]?|oublie[zr]?) (?:toutes )?(?:les|vos|tes) (?:instructions|consignes|regles)/,
  // Russian, Ukrainian, Polish, Turkish
  /(?:игнорируй|проигнорируй|забудь|не обращай внимания|ігноруй|забудь).{0,40}(?:инструкци|указани|правил|команд|інструкці|вказівк)/,
  /\b(?:z?ignoruj|zapomnij)\b.{0,40}\b(?:instrukcj|polece|zasad|wytyczn)/,
  /(?:onceki|yukarıdaki|tum).{0,30}(?:talimat|komut|kural).{0,30}(?:yok say|unut|gormezden|dikkate alma)/,
  // Chinese, Japanese, Korean
  /(?:忽略|无视|無視|不要理会|忘记|忘記|忘掉|不理會).{0,14}(?:指令|指示|说明|說明|提示词|提示詞|系统提示|规则|規則|要求)/,
  /(?:以前の|これまでの|上記の|前の|すべての|全ての).{0,14}(?:指示|命令|ルール|プロンプト).{0,8}(?:無視|忘れ)/,
  /(?:이전|위의|모든|앞의|기존).{0,14}(?:지시|명령|규칙|프롬프트|지침).{0,10}(?:무시|잊)/,
  // Arabic, Hindi, Vietnamese, Indonesian
  /(?:تجاهل|انس).{0,30}(?:التعليمات|الأوامر|القواعد|تعليمات)/,
  /(?:पिछले|सभी|पहले).{0,24}(?:निर्देश|आदेश|नियम).{0,16}(?:अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल)/,
  /(?:bo qua|phot lo|quen).{0,24}(?:huong dan|chi dan|chi thi|quy tac)/,
  /\b(?:abaikan|lupakan)\b.{0,30}\b(?:instruksi|perintah|aturan)/,
];

const CONCEALS: readonly RegExp[] = [
  /\b(?:sag|sage|verrate|teile?|erwahne|informiere)\b.{0,30}\b(?:nutzer|benutzer|anwender)\b.{0,20}\bnicht|\b(?:nutzer|benutzer|anwender)\b.{0,30}\b(?:nicht|nichts) (?:davon |daruber )?(?:mitteilen|sagen|erfahren|wissen|erwahnen|informieren)/,
  /\bno (?:le |se lo )?(?:digas?|diga|menciones?|informes?|reveles?|cuentes?)\b.{0,40}\busuario|\bn[ãa]o (?:conte|mencione|informe|revele|diga)\b.{0,40}\busu[áa]rio|\bnon (?:dire|menzionare|informare|rivelare)\b.{0,40}\butente/,
  /\bne (?:dis|dites|mentionne[zr]?|r[ée]v[èe]le[zr]?|informe[zr]?)\b.{0,30}\b(?:pas|rien)\b.{0,40}\butilisateur|\b(?:sans|ne pas) (?:en )?(?:informer|pr[ée]venir|avertir|dire [àa]) l'utilisateur/,
  /не (?:говори|сообщай|упоминай|рассказывай|раскрывай).{0,40}пользовател/,
  /(?:不要|别|別|勿|请勿|請勿|切勿|不得|不能).{0,6}(?:告诉|告訴|告知|提及|通知|透露|让).{0,10}(?:用户|使用者|用戶|知道)/,
  /ユーザー(?:に|には).{0,16}(?:言わない|伝えない|知らせない|教えない|言及しない|明かさない|話さない)/,
  /사용자(?:에게|가|한테).{0,20}(?:알리지|말하지|언급하지|밝히지|모르게)/,
  /لا (?:تخبر|تذكر|تبلغ|تكشف).{0,30}(?:المستخدم|للمستخدم)/,
  /(?:उपयोगकर्ता|यूज़र).{0,20}(?:न बताएं|मत बताना|ना बताएं|नहीं बताना)/,
];

export const FOREIGN: SignGroup = {
  needs: [SORT.foreign],
  signs: [
    { kind: 'override', weight: 10, pattern: either(OVERRIDES) },
    { kind: 'conceal', weight: 10, pattern: either(CONCEALS) },
  ],
};

function either(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), 'u');
}
