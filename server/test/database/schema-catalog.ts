import type pg from 'pg'

const inOwnSchema = (namespace: string) =>
  `${namespace} in (select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')`

const isNoPartOfExtension = (catalog: string, oid: string) =>
  `not exists (select from pg_depend where classid = '${catalog}'::regclass and objid = ${oid} and deptype = 'e')`

/** Comments and white space of a body do not count. */
const normalised = (body: string) =>
  `trim(regexp_replace(regexp_replace(${body}, '--[^\\n]*', '', 'g'), '\\s+', ' ', 'g'))`

/** One query for each kind of object. Each returns a name and a definition. */
const queries = {
  schema: `select nspname as name, coalesce(nspacl::text, '') as definition from pg_namespace n
    where ${inOwnSchema('n.oid')}`,
  extension: `select extname as name, extnamespace::regnamespace::text as definition from pg_extension`,
  relation: `select c.oid::regclass::text as name, concat_ws(' ', c.relkind, c.relpersistence, c.reloptions::text,
      c.relrowsecurity, c.relreplident, c.relacl::text, pg_get_partkeydef(c.oid)) as definition
    from pg_class c where ${inOwnSchema('c.relnamespace')} and c.relkind in ('r', 'p', 'v', 'm', 'S', 'c', 'f')
      and ${isNoPartOfExtension('pg_class', 'c.oid')}`,
  column: `select c.oid::regclass || '.' || a.attname as name, concat_ws(' ',
      row_number() over (partition by c.oid order by a.attnum), format_type(a.atttypid, a.atttypmod),
      case when a.attnotnull then 'not null' end, 'identity ' || nullif(a.attidentity::text, ''),
      'generated ' || nullif(a.attgenerated::text, ''), 'default ' || pg_get_expr(d.adbin, d.adrelid),
      'collate ' || nullif(a.attcollation, 0)::regcollation::text, a.attstorage, a.attcompression, a.attstattarget,
      a.attoptions::text, a.attacl::text) as definition
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where ${inOwnSchema('c.relnamespace')} and c.relkind in ('r', 'p', 'v', 'm', 'c')`,
  constraint: `select coalesce(nullif(k.conrelid, 0)::regclass::text, k.contypid::regtype::text) || '.' || k.conname as name,
      concat_ws(' ', pg_get_constraintdef(k.oid), k.convalidated, k.connoinherit) as definition
    from pg_constraint k where ${inOwnSchema('k.connamespace')}`,
  index: `select i.indexrelid::regclass::text as name, concat_ws(' ', pg_get_indexdef(i.indexrelid), i.indisvalid,
      i.indisclustered, i.indisreplident) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid where ${inOwnSchema('c.relnamespace')}`,
  function: `select p.oid::regprocedure::text as name, concat_ws(' ', pg_get_function_result(p.oid),
      pg_get_function_arguments(p.oid), l.lanname, p.prokind, p.provolatile, p.proisstrict, p.prosecdef, p.proleakproof,
      p.proparallel, p.procost, p.prorows, p.proconfig::text, p.proacl::text,
      ${normalised('coalesce(pg_get_function_sqlbody(p.oid), p.prosrc)')}) as definition
    from pg_proc p join pg_language l on l.oid = p.prolang
    where ${inOwnSchema('p.pronamespace')} and ${isNoPartOfExtension('pg_proc', 'p.oid')}`,
  trigger: `select t.tgrelid::regclass || '.' || t.tgname as name,
      concat_ws(' ', pg_get_triggerdef(t.oid), t.tgenabled) as definition
    from pg_trigger t join pg_class c on c.oid = t.tgrelid where not t.tgisinternal and ${inOwnSchema('c.relnamespace')}`,
  view: `select c.oid::regclass::text as name, pg_get_viewdef(c.oid) as definition
    from pg_class c where c.relkind in ('v', 'm') and ${inOwnSchema('c.relnamespace')}`,
  type: `select t.oid::regtype::text as name, concat_ws(' ', t.typtype, t.typbasetype::regtype, t.typnotnull, t.typdefault,
      (select string_agg(enumlabel, ',' order by enumsortorder) from pg_enum where enumtypid = t.oid)) as definition
    from pg_type t where ${inOwnSchema('t.typnamespace')} and t.typtype in ('d', 'e', 'r')
      and ${isNoPartOfExtension('pg_type', 't.oid')}`,
  sequence: `select s.seqrelid::regclass::text as name, concat_ws(' ', s.seqtypid::regtype, s.seqstart, s.seqincrement,
      s.seqmin, s.seqmax, s.seqcache, s.seqcycle, (select string_agg(refobjid::regclass || ' ' || refobjsubid || ' ' || deptype::text, ',')
        from pg_depend where objid = s.seqrelid and deptype in ('a', 'i'))) as definition
    from pg_sequence s`,
  comment: `select pg_describe_object(classoid, objoid, objsubid) as name, description as definition
    from pg_description where objoid >= 16384 and classoid <> 'pg_extension'::regclass`,
  statistics: `select stxname as name, pg_get_statisticsobjdef(oid) as definition from pg_statistic_ext`,
  policy: `select polrelid::regclass || '.' || polname as name, pg_get_expr(polqual, polrelid) as definition from pg_policy`,
  rule: `select ev_class::regclass || '.' || rulename as name, pg_get_ruledef(oid) as definition from pg_rewrite
    where rulename <> '_RETURN' and oid >= 16384`,
  'right by default': `select defaclobjtype::text || ' ' || defaclrole::regrole as name, defaclacl::text as definition
    from pg_default_acl`,
} as const

export type SchemaCatalog = Record<string, string>

/**
 * Everything that the migrations of a database have defined, by kind and name. Two databases with the same catalog behave
 * alike, except for their rows.
 */
export async function readSchemaCatalog(client: Pick<pg.Pool, 'query'>): Promise<SchemaCatalog> {
  const catalog: SchemaCatalog = {}
  for (const [kind, query] of Object.entries(queries)) {
    const { rows } = await client.query<{ name: string; definition: string }>(query)
    for (const { name, definition } of rows) catalog[`${kind} ${name}`] = definition
  }
  return catalog
}
