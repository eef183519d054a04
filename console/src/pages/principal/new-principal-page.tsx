import { Paper, Radio, SimpleGrid, Stack } from '@mantine/core'
import { useNavigate, useSearchParams } from 'react-router'
import type { PrincipalKind } from '../../api/principal-list.ts'
import { Page } from '../../components/page.tsx'
import { requireAllowed } from '../../components/unknown-filter.ts'
import { leavingIsFine } from '../../components/unsaved-changes.tsx'
import { usePrincipalTexts } from '../../texts/principal-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { NewLocalPrincipal } from './new-local-principal.tsx'
import { NewProviderPrincipal } from './new-provider-principal.tsx'

const kinds = ['local', 'user', 'client'] as const

export function NewPrincipalPage() {
  const own = usePrincipalTexts()
  const navigate = useNavigate()
  const [params, setParams] = useSearchParams()
  requireAllowed({ kind: params.get('kind') ?? '' }, { kind: kinds })
  const kind = kinds.find((name) => name === params.get('kind')) ?? 'local'
  const goTo = (path: string) => void navigate(path, { state: leavingIsFine })
  const cancel = () => void navigate('/admin/principals')
  return (
    <Page title={own.newTitle}>
      <Paper withBorder p="md" maw={860}>
        <Stack>
          <KindChoice kind={kind} onChoose={(chosen) => setParams({ kind: chosen }, { replace: true })} />
          {kind === 'local' ? (
            <NewLocalPrincipal onCreated={goTo} onCancel={cancel} />
          ) : (
            <NewProviderPrincipal kind={kind} onCreated={goTo} onCancel={cancel} />
          )}
        </Stack>
      </Paper>
    </Page>
  )
}

function KindChoice({ kind, onChoose }: { kind: PrincipalKind; onChoose: (kind: string) => void }) {
  const { principals } = useTexts()
  const principal = usePrincipalTexts()
  return (
    <Radio.Group label={principal.kind} value={kind} onChange={onChoose}>
      <SimpleGrid cols={{ base: 1, sm: 3 }} mt="xs" spacing="sm">
        {kinds.map((name) => (
          <Radio key={name} value={name} label={principals.kinds[name]} description={principals.kindHints[name]} />
        ))}
      </SimpleGrid>
    </Radio.Group>
  )
}
