/**
 * The data set has a few advisories, all of which can be read, and computers whose agents report source packages. Its few computers of
 * Linux lack no patch of these packages, unlike those of a larger demo, and the vulnerability without a fix is excepted.
 */
export const unseenVulnerabilityValues = [
  'VulnerabilitySeverity=Unknown',
  'FleetVulnerability.state=Fixed',
  'FleetVulnerability.state=NotPresent',
  'FleetVulnerability.fixedUtc',
  'VulnerabilityDetails.state=Fixed',
  'VulnerabilityDetails.state=NotPresent',
  'VulnerabilityDetails.fixedUtc',
  'VulnerabilityImportStatus.status=Pending',
  'VulnerabilityImportStatus.status=Failed',
  'VulnerabilityImportFault.file',
  'VulnerabilityImportFault.reason',
  ...[
    'RemedyState=Released',
    'RemedyState=Waiting',
    'RemedyState=NeedsPerson',
    'RemedyState=Declined',
    'RemedyState=NoFix',
  ],
  ...['VulnerabilityRemedyCount.patchId', 'VulnerabilityRemedyCount.patchName'],
  ...['VulnerabilityRemedyCount.firstUtc', 'VulnerabilityRemedyCount.lastUtc'],
  ...['VulnerabilityRemedy.patchId', 'VulnerabilityRemedy.patchName', 'VulnerabilityRemedy.approvedUtc'],
  'MeasuredPatch.lockedBy',
  'VulnerabilityMatch=BinaryPackage',
  'VulnerabilityMatch=PackageName',
  'VulnerabilityException.computerId',
  'SbomComposition.aggregate=incomplete',
  'CsafVexVulnerability.ids',
  'CsafVexId.system_name',
  'CsafVexId.system_name=Advisory',
  'CsafVexId.text',
]

/** Modules of RPM, ranges that do not begin with the first version, and imports with faults. */
export const unusedVulnerabilityColumns = [
  'installed_components.stream',
  'vulnerabilities.fixed_at',
  'vulnerability_exceptions.computer_id',
  'vulnerability_imports.faults',
  'vulnerability_imports.is_unchanged',
  'vulnerability_imports.refused',
  'vulnerability_state.count_is_due',
  'vulnerability_state.id',
  'vulnerable_ranges.introduced_key',
  'vulnerable_ranges.last_affected_key',
  'vulnerable_ranges.stream',
]
