import type pg from 'pg'

/** Records that a backup is complete so that the console can show it. The backup itself does not contain this. */
export async function recordBackup(pool: pg.Pool): Promise<void> {
  await pool.query(`
    insert into last_backup (finished_at) values (now())
    on conflict on constraint last_backup_pkey do update set finished_at = excluded.finished_at`)
}
