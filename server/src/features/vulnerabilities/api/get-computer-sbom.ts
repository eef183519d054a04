import { ok, operation } from '../../../platform/operation.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { buildSbom } from '../sbom/build-sbom.ts'
import { readComputerProducts } from '../sbom/installed-products.ts'
import { Sbom } from '../sbom/schemas.ts'

export const getComputerSbom = operation({
  id: 'getComputerSbom',
  route: 'GET /api/computer/:id/sbom',
  summary: 'Get the software of a computer as a bill of materials',
  description:
    'A document in the format of CycloneDX 1.6, by the last inventory. Packages of dpkg and rpm have a package URL if the agent has ' +
    'reported from which source package they are built.',
  role: 'computer.read',
  params: ComputerPath,
  returns: ok(Sbom),
  problems: [computerNotFound],
  extension: true,
  async handle({ params, db, setHeader }) {
    const computer = await readComputerProducts(db, params.id)
    if (!computer) throw computerNotFound({ clientId: params.id })
    setHeader('content-disposition', `attachment; filename="computer-${params.id}.cdx.json"`)
    return buildSbom({ type: 'device', name: computer.name }, computer.inventoryAt, computer.products)
  },
})
