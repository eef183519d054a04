import { csvContent, csvType, operation } from '../../../../platform/operation.ts'
import { closed } from '../../../../platform/schema.ts'
import { complianceFilters } from '../../patches/compliance-filters.ts'
import { exportCompliance } from '../../patches/export-compliance.ts'

export const exportPatchCompliance = operation({
  id: 'exportPatchCompliance',
  route: 'GET /api/fleet/patch-compliance/csv',
  summary: 'Export the patch compliance that listPatchCompliance lists as comma-separated values',
  description:
    'The same groups in the same order with the same filters, all of them. `notScanned` are the computers without a patch scan. A text ' +
    'that a spreadsheet would evaluate as a formula begins with an apostrophe.',
  role: 'pm.read',
  extension: true,
  query: closed(complianceFilters),
  answerType: csvType,
  returns: csvContent,
  async handle({ db, query, setHeader }) {
    setHeader('content-disposition', 'attachment; filename="patch-compliance.csv"')
    return exportCompliance(db, query)
  },
})
