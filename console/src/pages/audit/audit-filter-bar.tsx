import { Autocomplete, Select, TextInput } from '@mantine/core'
import { usePrincipals } from '../../api/principal-list.ts'
import { useOperationNames } from '../../api/role-operations.ts'
import { DateTimeField } from '../../components/date-time-field.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import type { Filters } from '../../components/use-filters.ts'
import { useTyped } from '../../components/use-typed.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { useAuditTexts } from '../../texts/audit-texts.ts'
import { useTexts } from '../../texts/texts.tsx'

export const auditFilters = ['principalId', 'operation', 'target', 'after', 'before'] as const

type AuditFilters = Filters<(typeof auditFilters)[number]>

export function AuditFilterBar({ filters }: { filters: AuditFilters }) {
  const audit = useAuditTexts()
  const { common } = useTexts()
  const { values, set } = filters
  const mayManage = useHasRole('admin.manage')
  const principals = usePrincipals({ enabled: mayManage }).rows ?? []
  const operations = useOperationNames({ enabled: mayManage })
  const [operation, setOperation] = useTyped(values.operation, (text) => set({ operation: text }))
  const [target, setTarget] = useTyped(values.target, (text) => set({ target: text }))
  return (
    <FilterBar filters={filters}>
      {mayManage && (
        <Select
          label={audit.principal}
          placeholder={common.all}
          data={principals.map(({ id, name, identifier }) => ({
            value: String(id),
            label: name ? `${name} (${identifier})` : identifier,
          }))}
          value={values.principalId || null}
          onChange={(id) => set({ principalId: id ?? '' })}
          searchable
          clearable
        />
      )}
      <Autocomplete
        label={audit.operation}
        placeholder={common.all}
        data={operations}
        limit={20}
        value={operation}
        onChange={setOperation}
      />
      <TextInput
        label={audit.target}
        placeholder={audit.targetHint}
        value={target}
        onChange={(event) => setTarget(event.currentTarget.value)}
        miw={220}
      />
      <DateTimeField
        label={audit.after}
        withZone={false}
        value={values.after || null}
        onChange={(after) => set({ after: after ?? '' })}
      />
      <DateTimeField
        label={audit.before}
        withZone={false}
        value={values.before || null}
        onChange={(before) => set({ before: before ?? '' })}
      />
    </FilterBar>
  )
}
