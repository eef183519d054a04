import { MultiSelect } from '@mantine/core'
import { visibleLine } from '@muster/text'
import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../api/client.ts'
import { NamedField } from './named-field.tsx'

type TagsFieldProps = { label: string; description: string; value: string[]; onChange: (ids: string[]) => void }

/** Chooses among all tags. */
export function TagsField(props: TagsFieldProps) {
  const { data } = useQuery({
    queryKey: ['tags'],
    queryFn: () => answerOf(api.GET('/api/tags', { params: { query: { top: 1000 } } })),
  })
  return (
    <NamedField name="tagIds">
      <MultiSelect
        {...props}
        data-autofocus
        data={data?.items.map(({ id, designation }) => ({ value: String(id), label: visibleLine(designation) })) ?? []}
        searchable
        clearable
      />
    </NamedField>
  )
}
