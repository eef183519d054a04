import { Alert, Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { answerOf, api } from '../../api/client.ts'
import type { components } from '../../api/types.ts'
import { DataAge } from '../../components/data-age.tsx'
import { Facts } from '../../components/facts.tsx'
import { Loading } from '../../components/loading.tsx'
import { Page } from '../../components/page.tsx'
import { ProblemView } from '../../components/problem-view.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useLive } from '../../live/use-live.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { useFormat } from '../../texts/format.ts'
import { usePatchTexts } from '../../texts/patch-texts.ts'
import { kindOfSeverity } from '../patches/severity.ts'
import { PatchComputers } from './patch-computers.tsx'
import { PatchFiles } from './patch-files.tsx'
import { PatchProducts } from './patch-products.tsx'

type PatchDetails = components['schemas']['PatchPage']

export function PatchPage() {
  const { id = '' } = useParams()
  const patchId = Number(id)
  const patches = usePatchTexts()
  useLive({ types: ['muster.patch.*'], refreshes: [['patches', 'one', patchId]] })
  const { data, error, refetch } = useQuery({
    queryKey: ['patches', 'one', patchId],
    queryFn: () => answerOf(api.GET('/api/fleet/patches/{patchId}', { params: { path: { patchId } } })),
  })
  const mayReadComputers = useHasRole('computer.read')
  if (!data)
    return (
      <Page title={patches.columns.name}>
        {error ? <ProblemView error={error} onRetry={refetch} /> : <Loading height={160} />}
      </Page>
    )
  const { patch } = data
  return (
    <Page title={patch.patchName ?? patch.qNumber ?? `#${patchId}`} intro={patch.bulletinTitle}>
      {!patch.isConfirmed && <Alert color="yellow">{patches.patch.unconfirmed}</Alert>}
      <PatchFacts data={data} />
      <PatchProducts data={data} />
      <GroupsWithPatch groups={data.pmGroups} />
      <PatchFiles data={data} />
      {mayReadComputers ? (
        <PatchComputers patchId={patchId} />
      ) : (
        <Text size="sm" c="dimmed">
          {patches.patch.needsComputers}
        </Text>
      )}
    </Page>
  )
}

function PatchFacts({ data: { patch, calculatedAtUtc } }: { data: PatchDetails }) {
  const patches = usePatchTexts()
  const texts = patches.patch
  const format = useFormat()
  const { cves, vendorInformationPage: page } = patch
  return (
    <Section title={texts.facts} actions={calculatedAtUtc && <DataAge atUtc={calculatedAtUtc} />}>
      <Facts
        rows={[
          [texts.missing, patches.computers(patch.missing)],
          [texts.installed, patches.computers(patch.installed)],
          [
            texts.severity,
            <StatusBadge key="severity" kind={kindOfSeverity[patch.severity]}>
              {patches.severities[patch.severity]}
            </StatusBadge>,
          ],
          [texts.cvss, patch.cvssScore === null ? null : format.number(patch.cvssScore)],
          [texts.number, patch.qNumber],
          [texts.bulletin, patch.bulletinId],
          [texts.cves, cves.join(', ')],
          [texts.type, patch.patchTypeName],
          [texts.released, patch.releaseDate && format.date(patch.releaseDate)],
          [texts.updated, patch.updateDate && format.date(patch.updateDate)],
          [texts.vendorPage, page && /^https?:/.test(page) && <VendorPage address={page} />],
        ]}
      />
    </Section>
  )
}

function VendorPage({ address }: { address: string }) {
  return (
    <Anchor href={address} target="_blank" rel="noreferrer" size="sm" className="breakable">
      {address}
    </Anchor>
  )
}

function GroupsWithPatch({ groups }: { groups: PatchDetails['pmGroups'] }) {
  const { patch } = usePatchTexts()
  return (
    <Section title={patch.groups}>
      {groups.length === 0 && (
        <Text size="sm" c="dimmed">
          {patch.noGroups}
        </Text>
      )}
      {groups.map(({ pmGroupId, pmGroupName, productId, productName }) => (
        <Text key={`${pmGroupId} ${productId}`} size="sm">
          <Anchor component={Link} to={`/patch-groups/${pmGroupId}`} inherit underline="always">
            {pmGroupName}
          </Anchor>
          {` · ${productName}`}
        </Text>
      ))}
    </Section>
  )
}
