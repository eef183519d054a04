import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { localPrincipal, type PrincipalResource, providerPrincipal } from '../../api/principals.ts'
import { Loading } from '../../components/loading.tsx'
import { Page } from '../../components/page.tsx'
import { ProblemView } from '../../components/problem-view.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { NotFoundPage } from '../not-found/not-found-page.tsx'
import { LocalEditor } from './local-editor.tsx'
import { ProviderEditor } from './provider-editor.tsx'

/** One principal with its details and actions. */
export function PrincipalPage() {
  const { kind, id } = useParams()
  const number = Number(id)
  if (!Number.isInteger(number) || number < 1) return <NotFoundPage />
  if (kind === 'local') return <LocalPage key={id} id={number} />
  if (kind === 'provider') return <ProviderPage key={id} id={number} />
  return <NotFoundPage />
}

function LocalPage({ id }: { id: number }) {
  const resource = localPrincipal(id)
  const { data, error, refetch } = useLoaded(resource)
  return data ? <LocalEditor resource={resource} loaded={data} /> : <NotLoaded error={error} onRetry={refetch} />
}

function ProviderPage({ id }: { id: number }) {
  const resource = providerPrincipal(id)
  const { data, error, refetch } = useLoaded(resource)
  return data ? <ProviderEditor resource={resource} loaded={data} /> : <NotLoaded error={error} onRetry={refetch} />
}

/** Loaded once: a form stays on the version it was filled from. */
function useLoaded<Dto, Values>({ path, load }: PrincipalResource<Dto, Values>) {
  return useQuery({ queryKey: ['editor', path], queryFn: load, staleTime: Number.POSITIVE_INFINITY, gcTime: 0 })
}

function NotLoaded({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  const texts = useTexts()
  return (
    <Page title={texts.principals.title}>
      {error ? (
        <ProblemView
          error={error}
          onRetry={onRetry}
          wayOn={{ to: '/admin/principals', label: texts.shell.toPrincipals }}
        />
      ) : (
        <Loading height={320} />
      )}
    </Page>
  )
}
