import type { Database } from '../../database/connect.ts'

/** Selects the output of failed commands on a computer in the shape of the API. */
export function setupErrorRows(db: Database, computerId: number) {
  return db
    .selectFrom('setup_errors')
    .leftJoin('packages', 'packages.id', 'setup_errors.package_id')
    .select([
      'setup_errors.id',
      'setup_errors.package_id as softwareId',
      'packages.name as softwareName',
      'setup_errors.logged_at as loggedAtUtc',
      'setup_errors.attempt',
      'setup_errors.exit_code as exitCode',
      'setup_errors.command_line as commandLine',
      'setup_errors.output',
    ])
    .where('setup_errors.computer_id', '=', computerId)
}

/** Selects distribution events in the shape of the API. */
export function distributionEventRows(db: Database) {
  return db
    .selectFrom('distribution_events')
    .innerJoin('computers', 'computers.id', 'distribution_events.computer_id')
    .leftJoin('packages', 'packages.id', 'distribution_events.package_id')
    .select([
      'distribution_events.id',
      'distribution_events.computer_id as computerId',
      'computers.name as hostname',
      'computers.domain',
      'packages.name as packageName',
      'packages.version',
      'distribution_events.result',
      'distribution_events.classification',
      'distribution_events.logged_at as logDateUtc',
      'distribution_events.kb_number as kbNumber',
      'distribution_events.install_mode as installMode',
      'distribution_events.info',
    ])
}
