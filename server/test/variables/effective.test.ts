import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { computerById } from '../../src/domain/computers/computer-rows.ts'
import { openWorld } from '../world/open-world.ts'

const { db, given } = await openWorld()

test('the OU of a computer is the effective value of its variable', async () => {
  const group = await given.group()
  const computer = await given.computer()
  await given.member(group, computer)
  await sql`insert into group_variables (group_id, variable_id, value)
    select ${group.id}, id, 'OU=x' from variable_definitions where designation = 'OuForComputerAccounts'`.execute(db)

  expect(await computerById(db, computer.id)).toMatchObject({ ou: 'OU=x' })
})
