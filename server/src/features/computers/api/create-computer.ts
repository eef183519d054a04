import { ok, operation } from '../../../platform/operation.ts'
import { requireConsistent, wantedColumns } from '../computer-columns.ts'
import { getComputerById } from '../computer-rows.ts'
import { writeOwnOu } from '../organizational-unit.ts'
import { writeSerialNumber } from '../serial-number.ts'
import { duplicateComputerName, duplicateMac } from './problems.ts'
import { Computer, ComputerWriteRequest } from './schemas.ts'

export const createComputer = operation({
  id: 'createComputer',
  route: 'POST /api/computer',
  summary: 'Create a computer, which belongs to no group yet',
  description:
    'It needs a macAddress or a uuid. Names are unique within a domain whatever their case, MAC addresses whatever their case and separators.',
  role: 'computer.write',
  body: ComputerWriteRequest,
  returns: ok(Computer),
  problems: [duplicateComputerName, duplicateMac],
  async handle({ body, db }) {
    const columns = wantedColumns(body)
    requireConsistent(columns)
    const { id } = await db
      .insertInto('computers')
      .values({ ...columns, name: body.name.trim(), domain: body.domain.trim(), is_domain: body.isDomain })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeOwnOu(db, id, body.ou)
    await writeSerialNumber(db, id, body.serialNumber)
    return getComputerById(db, id)
  },
})
