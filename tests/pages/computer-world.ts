import { sql } from 'kysely'
import { deploymentsIn } from '../../server/test/deployments/deployment-world.ts'
import type { Pages } from '../../server/test/web/in-browser/open-pages.ts'

const ready = { is_operational: true, hash_state: 'Current' }

/** A computer with something to show on every tab: a package in each state, issues, patches, values and a past. */
export async function givenShownComputer({ db, given }: Pages) {
  const world = deploymentsIn(db, given)
  const site = await given.group({ name: 'Berlin' })
  const group = await given.group({ name: 'Tills', parent: site })
  const computer = await given.computer({
    name: 'till-7',
    lastSeen: new Date(Date.now() - 120_000),
    os_name: 'Debian GNU/Linux',
    os_version: '12',
    manufacturer: 'Contoso',
    model: 'Till 500',
    reported_ip_address: '192.0.2.17',
    inventory_at: new Date(),
    memory_mb: 8192,
  })
  await given.member(group, computer)
  await world.agent(computer, { logged_on_user: 'alice', version: '0.1.0', is_reboot_required: true })
  const installed = await given.package({ name: 'Example Editor', version: '4.2', ...ready })
  const failed = await given.package({ name: 'Card Reader Driver', version: '1.9', ...ready })
  const waiting = await given.package({ name: 'Receipt Printer', version: '2.0' })
  for (const one of [installed, failed]) await given.assignment(site, one, 'package')
  await given.assignment(group, waiting, 'package')
  await world.deployment(computer, installed, {
    installation_state: 'Installed',
    result: 'Success',
    installed_at: new Date(),
  })
  await world.deployment(computer, failed, {
    result: 'Failed',
    failed_at: new Date(),
    error_text: 'The command ended with 1603.',
  })
  await world.setupError(computer, failed, {
    exit_code: 1603,
    command_line: 'sh install.sh',
    output: 'no space left on device',
  })
  await world.event(computer, failed, { result: 'Failed', install_mode: 'Install' })
  await world.work(computer, waiting, { group_id: group.id })
  await sql`
    insert into disk_drives (computer_id, position, volume, drive_type_code, total_space_gb, free_space_gb, bitlocker_status)
    values (${computer.id}, 0, '/', 3, 100, 3, 'Unencrypted')`.execute(db)
  const proxy = await given.variable({ designation: 'ProxyServer', default_value: 'proxy.example.org' })
  const password = await given.variable({ designation: 'StorePassword', is_secret: true })
  await sql`insert into group_variables (group_id, variable_id, value)
    values (${site.id}, ${proxy.id}, 'proxy.berlin.example.org')`.execute(db)
  return { computer, site, group, installed, failed, waiting, proxy, password }
}
