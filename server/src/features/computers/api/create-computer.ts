import { ok, operation } from '../../../platform/operation.ts'
import { requireConsistentComputer, requireGatewayInSubnet, toComputerColumns } from '../computer-columns.ts'
import { getComputerById } from '../computer-rows.ts'
import { setOwnOu } from '../organizational-unit.ts'
import { setSerialNumber } from '../serial-number.ts'
import { duplicateComputerName, duplicateMacAddress } from './problems.ts'
import { Computer, ComputerWriteRequest } from './schemas.ts'

export const createComputer = operation({
  id: 'createComputer',
  route: 'POST /api/computer',
  summary: 'Create a computer',
  description:
    'Registers a computer before its agent contacts the server. It needs a `macAddress` or a `uuid`. The computer is in no group; add it with addGroupComputers. Names are unique within a domain and MAC addresses are unique in the installation; neither case nor the separators of a MAC address matter.',
  role: 'computer.write',
  body: ComputerWriteRequest,
  returns: ok(Computer),
  problems: [duplicateComputerName, duplicateMacAddress],
  async handle({ body, db }) {
    const columns = toComputerColumns(body)
    requireConsistentComputer(columns)
    requireGatewayInSubnet(columns)
    const { id } = await db
      .insertInto('computers')
      .values({ ...columns, name: body.name, domain: body.domain, is_domain: body.isDomain })
      .returning('id')
      .executeTakeFirstOrThrow()
    await setOwnOu(db, id, body.ou)
    await setSerialNumber(db, id, body.serialNumber)
    return getComputerById(db, id)
  },
})
