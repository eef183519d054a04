type LockedTable = {
  table: string
  /** The order in which several rows of the table are locked, as SQL expressions. */
  rows: readonly string[]
  /** Which rows, if the others have another place in the order. */
  where?: string
  /** The computer to which a row belongs, as an SQL expression. A transaction that locks it for update needs no order. */
  computer?: string
}

const computer = 'computer_id'
const isOfReinstall = `group_id in (select id from groups where kind = 'Reinstall')`
const computerOfReinstall = '(select computer_id from reinstall_groups where group_id = groups.id)'

/**
 * The order in which a transaction locks existing rows, whichever statement or cascade locks them. Transactions that
 * follow one order never deadlock. Advisory locks come before all rows.
 *
 * The row of a computer is the lock of everything that belongs to it: it is pinned before any of that is locked.
 * Statements that skip locked rows never wait, so they need no order; contacts of agents are such statements.
 *
 * `computer_summaries` has no place in the order: only triggers on `computers` wait for its rows, in transactions that have
 * locked the row of the computer before, and the count of the fleet skips locked ones. Neither has `fusion_job_lines`: a transaction
 * that deletes lines has locked the work item of their job before.
 */
export const lockOrder: readonly LockedTable[] = [
  { table: 'idempotency_keys', rows: ['key_hash'] },
  { table: 'rollouts', rows: ['id'] },
  { table: 'sliced_activations', rows: ['requested_at', 'task_id'] },
  { table: 'pm_groups', rows: ['id'] },
  { table: 'groups', rows: ['id'], where: `kind <> 'Reinstall'` },
  { table: 'group_rules', rows: ['group_id'] },
  { table: 'group_convergence', rows: ['group_id'] },
  { table: 'fusion_devices', rows: ['id'] },
  { table: 'computers', rows: ['id'], computer: 'id' },
  { table: 'inventory_sections', rows: ['computer_id', 'section'], computer },
  { table: 'bios_records', rows: ['computer_id'], computer },
  { table: 'group_computers', rows: ['computer_id', 'group_id'], where: `not ${isOfReinstall}`, computer },
  { table: 'agents', rows: ['computer_id'], computer },
  { table: 're_enrolment_codes', rows: ['computer_id'], computer },
  { table: 'quarantined_agents', rows: ['id'], computer },
  { table: 'activations', rows: ['computer_id', 'group_id'], computer },
  { table: 'boot_grants', rows: ['computer_id', 'address'], computer },
  { table: 'tasks', rows: ['id'], computer },
  { table: 'work', rows: ['package_id is not null', 'computer_id', 'package_id', 'kind', 'id'], computer },
  { table: 'fusion_jobs', rows: ['id'], computer: '(select computer_id from work where work.id = work_id)' },
  // The trigger that ends a trial follows the order of the work items. Only one trial of a package on a computer is open.
  { table: 'package_trials', rows: ['computer_id', 'package_id', 'id'], computer },
  { table: 'deployments', rows: ['computer_id', 'package_id'], computer },
  { table: 'reinstall_groups', rows: ['group_id'], computer },
  // The group of a reinstall is created and deleted with its work.
  { table: 'groups', rows: ['id'], where: `kind = 'Reinstall'`, computer: computerOfReinstall },
  { table: 'group_computers', rows: ['computer_id', 'group_id'], where: isOfReinstall, computer },
  { table: 'wake_requests', rows: ['id'], computer },
  { table: 'task_counts', rows: ['task_id', 'minute'] },
  { table: 'task_failures', rows: ['task_id', 'exit_code', 'cause'] },
  { table: 'rollout_computers', rows: ['rollout_id', 'computer_id'], computer },
  { table: 'rollout_rings', rows: ['rollout_id', 'ring'] },
  { table: 'enrolment_tokens', rows: ['id'] },
  { table: 'audit_chains', rows: ['chain'] },
]
