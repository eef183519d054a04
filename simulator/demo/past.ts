/**
 * What happened before today. Neither the API nor the agent channel lets anybody say when something happened, so that this is
 * the one place where the demo writes to the database.
 */
export type Statement = { text: string; values: unknown[] }

/** Runs statements in the database of the service. */
export type Backdate = (statements: readonly Statement[]) => Promise<void>

/** Silent computers were last heard of one to forty days ago, and a package that is withheld has long been waited for. */
export function past(silentIds: readonly number[], withheldPackage: string): Statement[] {
  return [
    {
      text: `update computer_contacts set last_seen_at = now() - (1.2 + computer_id * 7 % 40) * interval '1 day'
        where computer_id = any($1)`,
      values: [silentIds],
    },
    {
      text: `update computers set inventory_at = contact.last_seen_at from computer_contacts contact
        where contact.computer_id = computers.id and computers.id = any($1) and inventory_at is not null`,
      values: [silentIds],
    },
    {
      text: `update agents set boot_at = boot_at - interval '40 days', enrolled_at = now() - interval '60 days'
        where computer_id = any($1)`,
      values: [silentIds],
    },
    {
      text: `update deployments set pending_since = now() - (2 + computer_id % 9) * interval '1 day'
        from packages where packages.id = package_id and packages.name = $1 and pending_since is not null`,
      values: [withheldPackage],
    },
    {
      text: `update work set created_at = now() - (2 + computer_id % 9) * interval '1 day'
        from packages where packages.id = package_id and packages.name = $1`,
      values: [withheldPackage],
    },
    {
      text: `update deployments set installed_at = installed_at - computer_id % 14 * interval '1 day' where result = 'Success'`,
      values: [],
    },
    {
      text: `update distribution_events event set logged_at = logged_at - event.computer_id % 14 * interval '1 day'
        from deployments done
        where done.computer_id = event.computer_id and done.package_id = event.package_id and done.result = 'Success'`,
      values: [],
    },
  ]
}
