import pg from 'pg'
import type { QualifiedName, Sequence, Table } from './format.ts'

export type ForeignKey = {
  name: string
  child: QualifiedName
  parent: QualifiedName
  deferrability: 'not deferrable' | 'deferrable initially immediate' | 'deferrable initially deferred'
}

export type Trigger = { name: string; table: QualifiedName; state: 'O' | 'A' | 'R' }

/** Object ids below this belong to PostgreSQL itself and are the same in every database. */
const firstUserOid = 16_384

type SystemCatalog = 'pg_class' | 'pg_proc' | 'pg_type'

/**
 * A condition: the object belongs neither to PostgreSQL nor to an extension. Takes the aliases of the catalog and of
 * pg_namespace.
 */
const isUserObject = (catalog: SystemCatalog, object: string, namespace: string) => `
  ${namespace}.nspname !~ '^pg_' and ${namespace}.nspname <> 'information_schema'
    and ${hasNoDependency(catalog, object, 'e')}`

/**
 * A condition: the object depends on no extension ('e') or is not an internal part of another object ('i'). The columns by which
 * a table is partitioned are parts of the table itself and do not count.
 */
const hasNoDependency = (catalog: SystemCatalog, object: string, kind: 'e' | 'i') => `
  not exists (select from pg_depend
    where pg_depend.classid = '${catalog}'::regclass and pg_depend.objid = ${object}.oid and pg_depend.objsubid = 0
      and pg_depend.deptype = '${kind}')`

export function quoteName({ schema, name }: QualifiedName): string {
  return `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`
}

export function isSameName(one: QualifiedName, other: QualifiedName): boolean {
  return one.schema === other.schema && one.name === other.name
}

/**
 * Lists the tables of all schemas except PostgreSQL's own. A partitioned table is listed once, without its partitions.
 * Unlogged tables are left out: they need not survive a crash, so a backup does not contain them either. The event log is
 * left out as well: a restore begins a new one. Which repeatable migrations a database has is not part of its data either.
 */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select n.nspname as schema, c.relname as name, columns.columns,
      case when columns.is_plain then 'binary' else 'text' end as format
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    cross join lateral (
      select coalesce(json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod))
          order by a.attnum), '[]') as columns,
        coalesce(bool_and(a.atttypid < ${firstUserOid}), true) as is_plain
      from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') columns
    where c.relkind in ('r', 'p') and c.relpersistence = 'p' and not c.relispartition
      and not (n.nspname = 'public' and c.relname = any ('{events,event_days,event_outbox,repeatable_migrations}')) and ${isUserObject('pg_class', 'c', 'n')}
    order by n.nspname collate "C", c.relname collate "C"`)
  return rows
}

export async function listForeignKeys(client: pg.ClientBase): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(`
    select k.conname as name,
      json_build_object('schema', child_schema.nspname, 'name', child.relname) as child,
      json_build_object('schema', parent_schema.nspname, 'name', parent.relname) as parent,
      case when k.condeferred then 'deferrable initially deferred'
        when k.condeferrable then 'deferrable initially immediate' else 'not deferrable' end as deferrability
    from pg_constraint k
    join pg_class child on child.oid = k.conrelid
    join pg_namespace child_schema on child_schema.oid = child.relnamespace
    join pg_class parent on parent.oid = k.confrelid
    join pg_namespace parent_schema on parent_schema.oid = parent.relnamespace
    where k.contype = 'f' and k.conparentid = 0
    order by child_schema.nspname, child.relname, k.conname`)
  return rows
}

/** Lists the enabled triggers. A trigger that somebody disabled stays disabled. */
export async function listTriggers(client: pg.ClientBase): Promise<Trigger[]> {
  const { rows } = await client.query<Trigger>(`
    select t.tgname as name, t.tgenabled as state,
      json_build_object('schema', n.nspname, 'name', c.relname) as table
    from pg_trigger t
    join pg_class c on c.oid = t.tgrelid
    join pg_namespace n on n.oid = c.relnamespace
    where not t.tgisinternal and t.tgparentid = 0 and t.tgenabled <> 'D' and ${isUserObject('pg_class', 'c', 'n')}
    order by n.nspname, c.relname, t.tgname`)
  return rows
}

export async function listSequences(client: pg.ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query<QualifiedName>(`
    select n.nspname as schema, c.relname as name
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'S' and ${isUserObject('pg_class', 'c', 'n')}
    order by n.nspname collate "C", c.relname collate "C"`)
  const sequences: Sequence[] = []
  for (const name of rows) {
    const { rows: values } = await client.query<Pick<Sequence, 'lastValue' | 'isCalled'>>(
      `select last_value::text as "lastValue", is_called as "isCalled" from ${quoteName(name)}`,
    )
    sequences.push(...values.map((value) => ({ ...name, ...value })))
  }
  return sequences
}

/** Lists statements that drop everything the migrations created. Dropping an object also drops what belongs to it. */
export async function listDropStatements(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ drop: string }>(`
    select format('drop %s if exists %I.%I cascade', kinds.kind, n.nspname, c.relname) as drop
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join (values ('r', 'table'), ('p', 'table'), ('v', 'view'), ('m', 'materialized view'), ('S', 'sequence'),
      ('c', 'type'))
      kinds (relkind, kind) on kinds.relkind = c.relkind::text
    where n.nspname = 'public' and not c.relispartition and ${isUserObject('pg_class', 'c', 'n')} and ${hasNoDependency('pg_class', 'c', 'i')}
    union all
    select format('drop routine if exists %I.%I(%s) cascade', n.nspname, c.proname,
      pg_get_function_identity_arguments(c.oid))
    from pg_proc c join pg_namespace n on n.oid = c.pronamespace
    where n.nspname = 'public' and ${isUserObject('pg_proc', 'c', 'n')} and ${hasNoDependency('pg_proc', 'c', 'i')}
    union all
    select format('drop type if exists %I.%I cascade', n.nspname, c.typname)
    from pg_type c join pg_namespace n on n.oid = c.typnamespace
    where n.nspname = 'public' and c.typtype in ('e', 'd', 'r') and ${isUserObject('pg_type', 'c', 'n')}
    union all
    select 'drop schema if exists pgboss cascade'`)
  return rows.map(({ drop }) => drop)
}
