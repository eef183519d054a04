import { Anchor, Button, Code, Group, Select, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { Facts } from '../../../components/facts.tsx'
import { Moment } from '../../../components/moment.tsx'
import { ProblemView } from '../../../components/problem-view.tsx'
import { Section } from '../../../components/section.tsx'
import { useHasRole } from '../../../shell/session-context.ts'
import { useFormat } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { type DistributionOptions, type GroupPageData, optionsQuery } from '../group-queries.ts'
import { OptionsPanel } from '../panels/options-panel.tsx'
import { usePanels } from '../panels/use-panels.ts'

/** What is done with the packages of the group, and when: for all of them, or for one. */
export function OptionsTab({ page }: { page: GroupPageData }) {
  const { groups, common } = useTexts()
  const [params, setParams] = useSearchParams()
  const packages = page.assignments.filter(({ type }) => type === 'Package')
  const packageId = params.get('package')
  const { data, error, refetch } = useQuery(optionsQuery(page.id, packageId))
  const { shown, open, onClose } = usePanels<'edit'>()
  const choose = (id: string | null) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        if (id) after.set('package', id)
        else after.delete('package')
        return after
      },
      { replace: true, preventScrollReset: true },
    )
  const origin = packages.find(({ objectId }) => objectId === packageId)
  // Options of a package are set where it is assigned.
  const isEditable = useHasRole('group.write') && (packageId === null || origin?.isInherited === false)
  return (
    <Stack gap="md">
      <Select
        label={groups.optionsOf}
        placeholder={groups.allPackages}
        data={packages.map(({ objectId, name, version }) => ({
          value: objectId,
          label: [name, version].filter(Boolean).join(' '),
        }))}
        value={packageId}
        onChange={choose}
        searchable
        clearable
        maw={420}
      />
      {error && !data ? <ProblemView error={error} onRetry={refetch} /> : null}
      {!data && !error && <Skeleton h={200} aria-label={common.loading} />}
      {data && (
        <Section
          title={packageId ? groups.packageOptions(origin?.name ?? '') : groups.groupOptions}
          actions={
            isEditable && (
              <Button variant="default" onClick={() => open('edit', undefined)}>
                {groups.editOptions}
              </Button>
            )
          }
        >
          <OptionsView options={data.value} />
          <Source page={page} packageId={packageId} />
        </Section>
      )}
      {shown && data && (
        <OptionsPanel key={shown.number} page={page} packageId={packageId} isOpen={shown.isOpen} onClose={onClose} />
      )}
    </Stack>
  )
}

function OptionsView({ options }: { options: DistributionOptions }) {
  const { groups, common } = useTexts()
  const format = useFormat()
  const { fields } = groups
  const { schedule } = options
  return (
    <Facts
      rows={[
        [fields.commands, options.commands.map((command) => groups.commands[command]).join(', ')],
        [
          fields.schedule,
          options.scheduleString ? (
            <Code key="schedule" className="breakable">
              {options.scheduleString}
            </Code>
          ) : (
            groups.atAnyTime
          ),
        ],
        [fields.nextStart, schedule.nextStart && <Moment at={schedule.nextStart} />],
        [
          fields.revokeCount,
          options.revokeCount === 0 ? common.never : groups.times(format.number(options.revokeCount)),
        ],
        [fields.revokeDate, options.revokeDate && <Moment at={options.revokeDate} />],
        [fields.optionalDate, options.optionalDate && <Moment at={options.optionalDate} />],
        [fields.wol, options.wol ? groups.yes : groups.no],
      ]}
    />
  )
}

/** Which group has the options. */
function Source({ page, packageId }: { page: GroupPageData; packageId: string | null }) {
  const { groups } = useTexts()
  const source = page.optionSources.find((one) => one.packageId === packageId)
  if (!source) return <Note>{groups.defaultOptions}</Note>
  if (source.sourceGroupId === page.id)
    return <Note>{source.isForPackage ? groups.ownPackageOptions : groups.ownOptions}</Note>
  return (
    <Group gap={4} mt="md">
      <Text size="sm" c="dimmed">
        {groups.inheritedFrom}
      </Text>
      <Anchor component={Link} size="sm" to={`/groups/${source.sourceGroupId}/options`}>
        {source.sourceGroupPath}
      </Anchor>
    </Group>
  )
}

function Note({ children }: { children: string }) {
  return (
    <Text size="sm" c="dimmed" mt="md">
      {children}
    </Text>
  )
}
