/** The simulator runs no commands, so the packages of the data set declare little. */
export const unseenDeclarations = [
  ...['argv', 'shell', 'file', 'msi', 'registry'].map((form) => `PackageDetection.${form}`),
  ...['key', 'view', 'view=32', 'view=64', 'value', 'equals', 'version', 'minVersion'].map(
    (property) => `DetectRegistry.${property}`,
  ),
  ...['path', 'version', 'minVersion'].map((property) => `DetectFile.${property}`),
  ...['productCode', 'version', 'minVersion'].map((property) => `DetectMsi.${property}`),
  'DetectDpkg.version',
  ...['file', 'properties', 'timeLimitMinutes'].map((property) => `PackageMsi.${property}`),
  'WorkDeclaration.msi',
  'StartedWork.declared',
]
