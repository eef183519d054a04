export type { WingetChoice } from './choose-installer.ts'
export {
  convertInstaller,
  convertWinget,
  type WingetConversion,
  type WingetOrigin,
  type WingetPackage,
  type WingetRest,
} from './convert-winget.ts'
export { convertedTypes } from './families.ts'
export { maxWingetFileBytes, type WingetFile } from './read-yaml.ts'
export { type WingetReason, wingetReasons } from './reasons.ts'
export { WingetFault } from './winget-fault.ts'
export { readWingetManifest, type WingetInstaller, type WingetManifest } from './winget-manifest.ts'
