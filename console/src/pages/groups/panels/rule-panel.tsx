import { NumberInput, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { EditReview } from '../../../actions/edit-review.tsx'
import type { PanelProps } from '../../../actions/use-panels.ts'
import { api, type Schemas } from '../../../api/client.ts'
import { NamedField } from '../../../components/named-field.tsx'
import { useGroupRuleTexts } from '../../../texts/group-rule-texts.ts'
import {
  criteriaNames,
  type GroupPageData,
  groupKey,
  groupsKey,
  type RuleCriteria,
  type RuleResult,
  ruleQuery,
} from '../group-queries.ts'
import { ReportedPropertiesWarning } from '../reported-properties-warning.tsx'
import { TitledList } from './titled-list.tsx'

const defaultLimit = 100

/** Sets the rule of a group. The dry run shows who joins and leaves. A rule that has stopped may be set as it is. */
export function RulePanel({ page, ...panel }: PanelProps & { page: GroupPageData }) {
  const texts = useGroupRuleTexts()
  const { data: version, error } = useQuery(ruleQuery(page.id))
  return (
    <EditReview<Schemas['GroupRule'], RuleResult>
      {...panel}
      version={version}
      error={error}
      title={texts.panelTitle(page.name)}
      label={texts.set}
      labels={{ maxChangesPerHour: texts.fields.maxChangesPerHour }}
      fields={({ criteria, maxChangesPerHour }, type) => (
        <>
          <CriteriaFields criteria={criteria ?? {}} onChange={(changed) => type({ criteria: changed })} />
          <NamedField name="maxChangesPerHour">
            <NumberInput
              label={texts.fields.maxChangesPerHour}
              min={0}
              max={1_000_000}
              allowDecimal={false}
              value={maxChangesPerHour ?? defaultLimit}
              onChange={(value) => type({ maxChangesPerHour: Number(value) })}
            />
          </NamedField>
        </>
      )}
      isUntypedComplete={({ state }) => state === 'Stopped'}
      isComplete={({ criteria }) => Object.keys(criteria ?? {}).length > 0}
      send={({ query, headers }, { values: { criteria, maxChangesPerHour } }) =>
        api.PUT('/api/group/{id}/rule', {
          params: { path: { id: page.id }, query, header: headers },
          body: { criteria: criteria ?? {}, maxChangesPerHour: maxChangesPerHour ?? defaultLimit },
        })
      }
      describe={({ answer }) => texts.effect(answer.joined, answer.left)}
      details={({ answer }) => <RuleEffect result={answer} />}
      done={({ joined, left }) => ({ text: texts.isSet(joined, left) })}
      refreshes={[groupsKey, groupKey(page.id)]}
    />
  )
}

type CriteriaFieldsProps = { criteria: RuleCriteria; onChange: (criteria: RuleCriteria) => void }

/** One field per property, with one value per line. What is typed stays as it is while it is typed. */
function CriteriaFields({ criteria, onChange }: CriteriaFieldsProps) {
  const texts = useGroupRuleTexts()
  const [lines, setLines] = useState<Record<string, string>>({})
  const change = (name: keyof RuleCriteria, text: string) => {
    setLines((before) => ({ ...before, [name]: text }))
    const entered = text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
    const { [name]: _, ...rest } = criteria
    onChange(entered.length > 0 ? { ...rest, [name]: entered } : rest)
  }
  return (
    <>
      <Text size="sm" c="dimmed">
        {texts.fieldsHint}
      </Text>
      {criteriaNames.map((name) => (
        <NamedField key={name} name={`criteria.${name}`}>
          <Textarea
            label={texts.fields[name]}
            autosize
            minRows={1}
            value={lines[name] ?? criteria[name]?.join('\n') ?? ''}
            onChange={(event) => change(name, event.currentTarget.value)}
          />
        </NamedField>
      ))}
    </>
  )
}

function RuleEffect({ result }: { result: RuleResult }) {
  const texts = useGroupRuleTexts()
  return (
    <Stack gap="xs">
      <ReportedPropertiesWarning warning={result.warning} />
      <Names title={texts.joins} names={result.joinedNames} count={result.joined} />
      <Names title={texts.leaves} names={result.leftNames} count={result.left} />
      {result.inOtherConfigurationGroup > 0 && <Text size="sm">{texts.blocked(result.inOtherConfigurationGroup)}</Text>}
    </Stack>
  )
}

function Names({ title, names, count }: { title: string; names: readonly string[]; count: number }) {
  const texts = useGroupRuleTexts()
  const others = count - names.length
  return <TitledList title={title} items={others > 0 ? [...names, texts.more(others)] : names} />
}
