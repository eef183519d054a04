// The native module must be in its place before koffi is evaluated.
import './native-module.ts'
import koffi from 'koffi'

export default koffi
