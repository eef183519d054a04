import { Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { visibleLine } from '@muster/text'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { useTexts } from '../../texts/texts.tsx'

type GroupFieldProps = { value: string; onChange: (groupId: string) => void; error?: ReactNode }

/** Selects a group by name, or by ID if the person may not read groups. Tokens with a group require group.write. */
export function GroupField(props: GroupFieldProps) {
  const { tokens } = useTexts()
  const [mayRead, mayChoose] = [useHasRole('group.read'), useHasRole('group.write')]
  if (!mayChoose) return <TextInput label={tokens.group} description={tokens.groupNeedsRole} disabled />
  if (mayRead) return <GroupByName {...props} />
  return (
    <TextInput
      label={tokens.group}
      description={tokens.groupIdHint}
      spellCheck={false}
      {...props}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  )
}

function GroupByName({ value, onChange, ...field }: GroupFieldProps) {
  const { tokens } = useTexts()
  const [search, setSearch] = useState('')
  const [nameContains] = useDebouncedValue(search, 250)
  const { data } = useQuery({
    queryKey: ['groups', nameContains],
    queryFn: () =>
      answerOf(api.GET('/api/group', { params: { query: { top: 50, ...(nameContains && { nameContains }) } } })),
    placeholderData: keepPreviousData,
  })
  return (
    <Select
      label={tokens.group}
      description={tokens.groupHint}
      data={
        data?.items.map(({ id, name, assignedToTree }) => ({
          value: id,
          label: visibleLine(`${name} (${assignedToTree})`),
        })) ?? []
      }
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      searchable
      clearable
      nothingFoundMessage={tokens.noGroup}
      onSearchChange={setSearch}
      // The service has already filtered the options.
      filter={({ options }) => options}
      {...field}
    />
  )
}
