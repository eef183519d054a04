import { randomBytes } from 'node:crypto'
import { afterAll, inject } from 'vitest'
import { type ConnectedDatabase, type Connection, connect } from '../../src/database/connect.ts'
import { onDatabase } from './template-database.ts'

export type TestDatabase = ConnectedDatabase & { connection: Connection }

/** Creates a database for the test file as a copy of the template. It is dropped afterwards. */
export async function copyOfTemplate(template = inject('template')): Promise<TestDatabase> {
  const { connection, drop } = await createCopy(template, 'muster_test')
  const database = connect(connection)
  afterAll(async () => {
    await database.close()
    await drop()
  })
  return { ...database, connection }
}

export async function createCopy(
  template: string,
  prefix: string,
): Promise<{ connection: Connection; drop(): Promise<void> }> {
  const server = inject('postgres')
  const name = `${prefix}_${randomBytes(6).toString('hex')}`
  const maintenance = connect(server, { size: 1 })
  // Copying files takes half of the processor time of writing each page to the log as well.
  await maintenance.pool.query(`create database ${name} template ${template} strategy file_copy`)
  return {
    connection: onDatabase(server, name),
    async drop() {
      await maintenance.pool.query(`drop database ${name} with (force)`)
      await maintenance.close()
    },
  }
}
