// The native module must be in its place before koffi is evaluated.
import './native-module.ts'
import koffi from 'koffi'

// biome-ignore lint/style/noDefaultExport: it replaces the default export of the library
export default koffi
