// The files that a render process loads. Each is named by a literal, so that the build finds and copies it.
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)

const isMusl = () => !process.report.getReport().header.glibcVersionRuntime

const PLATFORM = `${process.platform}-${process.arch}`

/** The compiler for each platform. A package that is not installed is not resolved, and not copied. */
const COMPILERS = {
  'linux-x64': () =>
    isMusl()
      ? require.resolve(
          '@myriaddreamin/typst-ts-node-compiler-linux-x64-musl/typst-ts-node-compiler.linux-x64-musl.node',
        )
      : require.resolve(
          '@myriaddreamin/typst-ts-node-compiler-linux-x64-gnu/typst-ts-node-compiler.linux-x64-gnu.node',
        ),
  'linux-arm64': () =>
    isMusl()
      ? require.resolve(
          '@myriaddreamin/typst-ts-node-compiler-linux-arm64-musl/typst-ts-node-compiler.linux-arm64-musl.node',
        )
      : require.resolve(
          '@myriaddreamin/typst-ts-node-compiler-linux-arm64-gnu/typst-ts-node-compiler.linux-arm64-gnu.node',
        ),
}

/** Loads Typst. Returns undefined if there is no build of it for the platform, or if it is not installed. */
export function loadTypst() {
  const find = COMPILERS[PLATFORM]
  try {
    return find && require(find()).NodeCompiler
  } catch (error) {
    if (error?.code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/** The rasterizer for each platform. */
const RASTERIZERS = {
  'linux-x64': () =>
    isMusl()
      ? require.resolve('@resvg/resvg-js-linux-x64-musl/resvgjs.linux-x64-musl.node')
      : require.resolve('@resvg/resvg-js-linux-x64-gnu/resvgjs.linux-x64-gnu.node'),
  'linux-arm64': () =>
    isMusl()
      ? require.resolve('@resvg/resvg-js-linux-arm64-musl/resvgjs.linux-arm64-musl.node')
      : require.resolve('@resvg/resvg-js-linux-arm64-gnu/resvgjs.linux-arm64-gnu.node'),
}

/** Loads resvg, which turns an SVG into pixels. Throws if there is no build of it for the platform. */
export function loadResvg() {
  const find = RASTERIZERS[PLATFORM]
  if (!find) throw new Error(`There is no rasterizer for ${PLATFORM}.`)
  return require(find()).Resvg
}

/** Folder of the templates, the only files that a template can read. */
export const TEMPLATES = fileURLToPath(new URL('./templates/', import.meta.url))

/** The fonts of all documents. Their families are listed in the order of preference in `templates/fonts.typ`. */
export const FONTS = [
  require.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans/400Regular_Italic/NotoSans_400Regular_Italic.ttf'),
  require.resolve('@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf'),
  require.resolve('@expo-google-fonts/source-serif-4/400Regular/SourceSerif4_400Regular.ttf'),
  require.resolve('@expo-google-fonts/source-serif-4/400Regular_Italic/SourceSerif4_400Regular_Italic.ttf'),
  require.resolve('@expo-google-fonts/source-serif-4/600SemiBold/SourceSerif4_600SemiBold.ttf'),
  require.resolve('@expo-google-fonts/source-serif-4/700Bold/SourceSerif4_700Bold.ttf'),
  require.resolve('@expo-google-fonts/amiri/400Regular/Amiri_400Regular.ttf'),
  require.resolve('@expo-google-fonts/amiri/700Bold/Amiri_700Bold.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-jp/600SemiBold/NotoSansJP_600SemiBold.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-kr/400Regular/NotoSansKR_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-kr/600SemiBold/NotoSansKR_600SemiBold.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-sc/600SemiBold/NotoSansSC_600SemiBold.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-tc/400Regular/NotoSansTC_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-tc/600SemiBold/NotoSansTC_600SemiBold.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-armenian/400Regular/NotoSansArmenian_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-bengali/400Regular/NotoSansBengali_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-ethiopic/400Regular/NotoSansEthiopic_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-georgian/400Regular/NotoSansGeorgian_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-gujarati/400Regular/NotoSansGujarati_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-gurmukhi/400Regular/NotoSansGurmukhi_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-kannada/400Regular/NotoSansKannada_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-khmer/400Regular/NotoSansKhmer_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-lao/400Regular/NotoSansLao_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-malayalam/400Regular/NotoSansMalayalam_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-math/400Regular/NotoSansMath_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-myanmar/400Regular/NotoSansMyanmar_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-sinhala/400Regular/NotoSansSinhala_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-symbols-2/400Regular/NotoSansSymbols2_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-tamil/400Regular/NotoSansTamil_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-telugu/400Regular/NotoSansTelugu_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf'),
]
