import { Autocomplete, Group, Select, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import type { useFilters } from '../../components/use-filters.ts'
import { useTyped } from '../../components/use-typed.ts'
import { useSoftwareTexts } from '../../texts/software-texts.ts'
import { conditionOf, isCondition } from './software-query.ts'

type SoftwareFiltersProps = { filters: ReturnType<typeof useFilters<'name' | 'condition' | 'version'>> }

/** The name with completion from what is installed, and the condition of the version. */
export function SoftwareFilters({ filters }: SoftwareFiltersProps) {
  const texts = useSoftwareTexts()
  const { name, version } = filters.values
  const condition = conditionOf(filters.values)
  const [typedName, setTypedName] = useTyped(name, (text) => filters.set({ name: text }))
  const [typedVersion, setTypedVersion] = useTyped(version, (text) => filters.set({ version: text }))
  const names = useSoftwareNames(typedName)
  const isCompared = isCondition(condition)
  const conditions = (['any', 'below', 'atLeast', 'equal'] as const).map((value) => ({
    value,
    label: texts.conditions[value],
  }))
  return (
    <search>
      <Group gap="sm" align="flex-start">
        <Autocomplete
          label={texts.name}
          description={texts.nameHint}
          placeholder={texts.namePlaceholder}
          data={names}
          // The service has chosen the names, by all words of the text.
          filter={({ options }) => options}
          value={typedName}
          onChange={setTypedName}
          spellCheck={false}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          flex="1 1 20rem"
          maw={480}
        />
        <Select
          label={texts.condition}
          data={conditions}
          allowDeselect={false}
          value={isCompared ? condition : 'any'}
          onChange={(chosen) =>
            filters.set(isCondition(chosen ?? '') ? { condition: chosen ?? '' } : { condition: '', version: '' })
          }
          w={150}
        />
        {isCompared && (
          <TextInput
            label={texts.version}
            placeholder={texts.versionPlaceholder}
            value={typedVersion}
            onChange={(event) => setTypedVersion(event.currentTarget.value)}
            spellCheck={false}
            w={170}
          />
        )}
      </Group>
      {isCompared && (
        <Text size="xs" c="dimmed" mt={4} maw="70ch">
          {texts.order}
        </Text>
      )}
    </search>
  )
}

function useSoftwareNames(typed: string): string[] {
  const [paused] = useDebouncedValue(typed.replaceAll(/[*?]/g, ' ').trim(), 150)
  const { data = [] } = useQuery({
    queryKey: ['software', 'names', paused],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/fleet/software/names', { params: { query: { search: paused, top: 20 } }, signal })),
    enabled: paused.length > 1,
    placeholderData: keepPreviousData,
  })
  return data
}
