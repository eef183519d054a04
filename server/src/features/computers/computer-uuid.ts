import { sql } from 'kysely'

/** Stands for no uuid on the wire. */
export const emptyUuid = '00000000-0000-0000-0000-000000000000'

/** The uuid of a computer as the API shows it. */
export const shownUuid = sql<string>`coalesce(computers.uuid, ${sql.lit(emptyUuid)})`
