import type { AnyOperation } from '../../../platform/operation.ts'
import { createVulnerabilityException } from './create-vulnerability-exception.ts'
import { deleteVulnerabilityException } from './delete-vulnerability-exception.ts'
import { exportCsafVex } from './export-csaf-vex.ts'
import { exportVex } from './export-vex.ts'
import { getComputerSbom } from './get-computer-sbom.ts'
import { getFleetSbom } from './get-fleet-sbom.ts'
import { getVulnerability } from './get-vulnerability.ts'
import { getVulnerabilityImport } from './get-vulnerability-import.ts'
import { importVex } from './import-vex.ts'
import { importVulnerabilities } from './import-vulnerabilities.ts'
import { listComputerVulnerabilities } from './list-computer-vulnerabilities.ts'
import { listVulnerabilities } from './list-vulnerabilities.ts'
import { listVulnerabilityExceptions } from './list-vulnerability-exceptions.ts'
import { listVulnerabilitySources } from './list-vulnerability-sources.ts'
import { listVulnerableComputers } from './list-vulnerable-computers.ts'

export const vulnerabilitiesApi: readonly AnyOperation[] = [
  listVulnerabilities,
  importVulnerabilities,
  getVulnerabilityImport,
  listVulnerabilitySources,
  getVulnerability,
  listVulnerableComputers,
  createVulnerabilityException,
  listVulnerabilityExceptions,
  exportVex,
  exportCsafVex,
  importVex,
  deleteVulnerabilityException,
  listComputerVulnerabilities,
  getComputerSbom,
  getFleetSbom,
]
