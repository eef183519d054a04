import { Anchor, Button, Group, Select, Stack, Text } from '@mantine/core'
import { visibleLine } from '@muster/text'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { usePanels } from '../../../actions/use-panels.ts'
import { Loading } from '../../../components/loading.tsx'
import { PreDownloads } from '../../../components/pre-downloads.tsx'
import { ProblemView } from '../../../components/problem-view.tsx'
import { Section } from '../../../components/section.tsx'
import { useHasRole } from '../../../shell/session-context.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { type GroupPageData, optionsQuery } from '../group-queries.ts'
import { OptionsPanel } from '../panels/options-panel.tsx'
import { OptionsView } from '../panels/options-view.tsx'
import { RemoveOptionsPanel } from '../panels/remove-options-panel.tsx'

type OptionSource = GroupPageData['optionSources'][number]

/** What is done with the packages of the group, and when: for all of them, or for one. */
export function OptionsTab({ page }: { page: GroupPageData }) {
  const { groups } = useTexts()
  const [params, setParams] = useSearchParams()
  const packages = page.assignments.filter(({ type }) => type === 'Package')
  const packageId = params.get('package')
  const { data, error, refetch } = useQuery(optionsQuery(page.id, packageId))
  const { shown, open, onClose } = usePanels<'edit' | 'remove'>()
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
  const source = page.optionSources.find((one) => one.packageId === packageId)
  // The whole group may have options that its packages only use.
  const isOwn = source?.sourceGroupId === page.id && source.isForPackage === (packageId !== null)
  const Panel = shown && { edit: OptionsPanel, remove: RemoveOptionsPanel }[shown.name]
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
          label: visibleLine([name, version].filter(Boolean).join(' ')),
        }))}
        value={packageId}
        onChange={choose}
        searchable
        clearable
        maw={420}
      />
      {error && !data ? <ProblemView error={error} onRetry={refetch} /> : null}
      {!data && !error && <Loading height={200} />}
      {data && (
        <Section
          title={packageId ? groups.packageOptions(origin?.name ?? '') : groups.groupOptions}
          actions={
            isEditable && (
              <>
                {isOwn && (
                  <Button variant="default" onClick={() => open('remove', undefined)}>
                    {groups.removeOptions}
                  </Button>
                )}
                <Button variant="default" onClick={() => open('edit', undefined)}>
                  {groups.editOptions}
                </Button>
              </>
            )
          }
        >
          <OptionsView options={data.value} />
          <Source page={page} source={source} />
        </Section>
      )}
      <PreDownloads of={{ groupId: page.id, ...(packageId && { packageId }) }} />
      {Panel && data && (
        <Panel key={shown.number} page={page} packageId={packageId} isOpen={shown.isOpen} onClose={onClose} />
      )}
    </Stack>
  )
}

/** Which group has the options. */
function Source({ page, source }: { page: GroupPageData; source: OptionSource | undefined }) {
  const { groups } = useTexts()
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
