import { Button, NumberInput, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { EditReview } from '../../actions/edit-review.tsx'
import { type PanelProps, usePanels } from '../../actions/use-panels.ts'
import { api, type Schemas, type Versioned, versionOf } from '../../api/client.ts'
import { Facts } from '../../components/facts.tsx'
import { Loading } from '../../components/loading.tsx'
import { NamedField } from '../../components/named-field.tsx'
import { ProblemView } from '../../components/problem-view.tsx'
import { Section } from '../../components/section.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { usePatchTexts } from '../../texts/patch-texts.ts'

type Sla = Schemas['PatchSla']

const slaKey = ['patches', 'sla']

const severities = {
  critical: 'Critical',
  important: 'Important',
  moderate: 'Moderate',
  low: 'Low',
  unrated: 'Unrated',
} as const satisfies Record<keyof Sla, string>

const names = Object.keys(severities) as (keyof Sla)[]

/** Within how many days patches have to be installed. Those who approve patches can change it. */
export function SlaSection() {
  const patches = usePatchTexts()
  const { sla } = patches.compliance
  const mayApprove = useHasRole('pm.approve')
  const { shown, open, onClose } = usePanels<'edit'>()
  const { data, error, refetch } = useQuery({
    queryKey: slaKey,
    queryFn: () => versionOf(api.GET('/api/patch-sla')),
  })
  return (
    <Section
      title={sla.title}
      actions={
        mayApprove &&
        data && (
          <Button variant="default" size="compact-sm" onClick={() => open('edit', undefined)}>
            {sla.edit}
          </Button>
        )
      }
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed" maw={520}>
          {sla.hint}
        </Text>
        {error && !data && <ProblemView error={error} onRetry={refetch} />}
        {!data && !error && <Loading height={140} />}
        {data && (
          <Facts
            rows={names.map((name) => [patches.severities[severities[name]], sla.days(data.value[name])] as const)}
          />
        )}
      </Stack>
      {shown && data && <SlaPanel key={shown.number} version={data} isOpen={shown.isOpen} onClose={onClose} />}
    </Section>
  )
}

function SlaPanel({ version, ...panel }: PanelProps & { version: Versioned<Sla> }) {
  const { sla } = usePatchTexts().compliance
  return (
    <EditReview<Sla, Sla>
      {...panel}
      version={version}
      title={sla.edit}
      labels={sla.fields}
      fields={(values, type) =>
        names.map((name) => (
          <NamedField key={name} name={name}>
            <NumberInput
              label={sla.fields[name]}
              placeholder={sla.none}
              min={1}
              max={3_650}
              allowDecimal={false}
              value={values[name] ?? ''}
              onChange={(value) => type({ [name]: value === '' ? null : Number(value) })}
            />
          </NamedField>
        ))
      }
      send={({ query, headers }, { values }) =>
        api.PUT('/api/patch-sla', { params: { query, header: headers }, body: values })
      }
      describe={() => sla.edits}
      refreshes={[['patches']]}
    />
  )
}
