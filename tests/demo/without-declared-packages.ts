/** The simulator runs no commands, so the packages of the data set declare little. */
export const unseenDeclarations = [
  // Steps around patches: agent/test/patches/fix-steps.test.ts.
  ...['WorkCommands', 'PackageCommands'].flatMap((name) => [`${name}.before`, `${name}.after`]),
  ...['argv', 'shell', 'file', 'msi', 'registry', 'rpm', 'program'].map((form) => `PackageDetection.${form}`),
  ...['key', 'view', 'view=32', 'view=64', 'value', 'equals', 'version', 'minVersion'].map(
    (property) => `DetectRegistry.${property}`,
  ),
  ...['path', 'version', 'minVersion'].map((property) => `DetectFile.${property}`),
  ...['productCode', 'version', 'minVersion'].map((property) => `DetectMsi.${property}`),
  'DetectDpkg.version',
  ...['package', 'version', 'minVersion'].map((property) => `DetectRpm.${property}`),
  ...['package', 'version', 'minVersion', 'repository', 'keepVersion', 'allowDowngrade', 'timeLimitMinutes'].map(
    (property) => `PackageSource.${property}`,
  ),
  ...['url', 'suite', 'components', 'key'].map((property) => `PackageRepository.${property}`),
  ...['file', 'properties', 'timeLimitMinutes'].map((property) => `PackageMsi.${property}`),
  ...['id', 'name', 'publisher', 'version', 'minVersion'].map((property) => `DetectProgram.${property}`),
  ...['id', 'name', 'publisher', 'arguments'].map((property) => `RemovedProgram.${property}`),
  ...['argv', 'shell', 'program', 'timeLimitMinutes', 'successCodes', 'rebootCodes'].map(
    (property) => `PackageUninstall.${property}`,
  ),
  'WorkDeclaration.msi',
  'WorkDeclaration.source',
  'StartedWork.declared',
]
