export { findCommandFault, loadingProperties } from './command-faults.ts'
export { contentHash, type HashedContent, type HashedFile, hashContent, hashFiles, type OnRead } from './hash-files.ts'
export { findIconFault, requireValidIcon } from './icon.ts'
export {
  isForComputers,
  isListable,
  manifestName,
  manifestSchemas,
  manifestSignatureName,
  type PackageKind,
  PackageManifest,
  packageKinds,
} from './manifest.ts'
export {
  hasDeclaredForm,
  type ManifestCommand,
  type ManifestCommands,
  type ManifestMsi,
  PackageCommand,
  PackageCommands,
  PackageMsi,
  PackageUninstall,
} from './manifest-commands.ts'
export { type ManifestConditions, PackageConditions } from './manifest-conditions.ts'
export { detectionForms } from './manifest-detection.ts'
export {
  type ManifestSource,
  PackageSource,
  parseSource,
  type SourceFamily,
  sourcePatterns,
} from './manifest-source.ts'
export { PackageFault } from './package-fault.ts'
export { type FoundFile, listFiles, readFoundFile, requireSameFiles, toPackageFault } from './package-folder.ts'
export { formatPath, nameFault, nameKey, pathFault, withSlashes } from './paths.ts'
export type { PropertyFault } from './property-fault.ts'
export { readChunks } from './read-chunks.ts'
export { parseManifest, type ReadManifest, readManifest } from './read-manifest.ts'
export { PackageRecipe, parseRecipe, type Recipe, RecipeFile } from './recipe.ts'
export {
  findBatchFileFault,
  findMentionedVariable,
  findShellFault,
  isBatchFile,
  requireSafeBatchFiles,
  toLines,
} from './shell-fault.ts'
export { signPackage } from './sign-package.ts'
