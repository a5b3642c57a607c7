import type { SampleVideo } from '../sample-video.ts'
import { alignLines, timeTalk } from '../talk.ts'
import { SUNSET_EUROPEAN } from './sunset-european.ts'

const talk = timeTalk(
  [
    {
      title: 'Uma pergunta de criança',
      lines: [
        'Toda criança já perguntou por que o céu é azul.',
        'Pouca gente pergunta por que, no fim da tarde, ele fica vermelho.',
        'As duas perguntas têm a mesma resposta, e ela cabe em quatro minutos.',
        'Você vai precisar só de um copo de água, um pouco de leite e a lanterna do celular.',
        'Mas vamos começar pela luz do Sol.',
      ],
    },
    {
      title: 'Uma luz feita de muitas',
      lines: [
        'A luz do Sol parece branca, mas é uma mistura de todas as cores.',
        'A gente vê isso no arco-íris, quando as gotas de chuva separam a mistura.',
        'Cada cor é uma onda com um comprimento diferente.',
        'O vermelho tem ondas compridas, com cerca de setecentos nanômetros.',
        'O azul tem ondas mais curtas, com cerca de quatrocentos e cinquenta.',
        'Um nanômetro é um milhão de vezes menor do que um milímetro.',
        'Parece uma diferença pequena. Para o ar, ela é enorme.',
      ],
    },
    {
      title: 'O ar espalha o azul',
      lines: [
        'O ar é feito de moléculas muito menores do que essas ondas.',
        'Quando a luz bate nelas, uma parte se espalha para todos os lados.',
        'No século dezenove, Lord Rayleigh calculou quanto se espalha de cada cor.',
        'O resultado depende da quarta potência do comprimento da onda.',
        'Na prática, o azul se espalha umas cinco ou seis vezes mais do que o vermelho.',
        'Por isso, ao meio-dia, chega luz azul de todos os cantos do céu.',
        'E por que não violeta, que tem ondas ainda mais curtas?',
        'Porque o Sol emite menos violeta, e nossos olhos quase não reparam nele.',
      ],
    },
    {
      title: 'Um caminho quarenta vezes mais longo',
      lines: [
        'Agora o Sol está se pondo. O que mudou?',
        'A luz não desce mais de cima: ela vem de lado, rente ao horizonte.',
        'Para chegar até você, atravessa quase quarenta vezes mais ar do que ao meio-dia.',
        'Nesse caminho, o azul vai se perdendo, espalhado sobre a cabeça de outras pessoas.',
        'Lá longe, alguém está vendo o meio-dia com o azul que faltou para você.',
        'O que sobra é o amarelo, o laranja e, por fim, o vermelho.',
        'O pôr do sol é a luz branca menos todo o azul que ficou pelo caminho.',
      ],
    },
    {
      title: 'Poeira, nuvens e vulcões',
      lines: [
        'Se fosse só isso, todos os fins de tarde seriam iguais.',
        'As nuvens altas servem de tela: recebem a luz vermelha por baixo.',
        'A poeira fina reforça as cores, mas a poluição pesada deixa tudo cinzento.',
        'Depois de uma chuva, com o ar limpo, as cores costumam ficar mais vivas.',
        'Em 1883, o vulcão Krakatoa lançou cinzas a dezenas de quilômetros de altura.',
        'Durante meses, o mundo inteiro viu crepúsculos cor de sangue.',
        'Em Nova York, os bombeiros saíram para apagar um incêndio que não existia.',
      ],
    },
    {
      title: 'Um pôr do sol na cozinha',
      lines: [
        'Agora, a experiência. Encha um copo alto de água e pingue algumas gotas de leite.',
        'Apague a luz e ilumine o copo de lado com o celular.',
        'Visto de lado, o líquido fica azulado, como o céu.',
        'Olhe então para a lanterna através do copo: ela ficou alaranjada.',
        'As gotinhas de gordura fazem, na cozinha, o mesmo trabalho das moléculas do ar.',
        'Em Marte, aliás, é tudo ao contrário: o dia é avermelhado e o pôr do sol é azul.',
        'Lá é a poeira que manda, e o tamanho dos grãos inverte as cores.',
        'Da próxima vez que o céu ficar vermelho, pense em quem está vendo o seu azul.',
        'Obrigado pela atenção e até a próxima.',
      ],
    },
  ],
  15.5,
)

export const SUNSET: SampleVideo = {
  id: 'sbtx-pt-sol',
  title: 'De onde vem o vermelho do pôr do sol?',
  language: 'pt-BR',
  purpose: 'Portuguese talk: manual tracks in both variants and an auto-generated one without a variant',
  author: 'Subtext Palestras de Exemplo',
  channelId: 'UCsubtextPalestrasExempl',
  description: 'Por que o céu é azul e o fim da tarde é vermelho, com um copo de água e um pouco de leite.',
  lengthSeconds: talk.lengthSeconds,
  published: '2026-06-01T21:10:00-00:00',
  viewCount: 15_077,
  tracks: [
    { language: 'pt-BR', kind: 'manual', name: 'Portuguese (Brazil)', cues: () => talk.cues },
    { language: 'pt', kind: 'manual', name: 'Portuguese', cues: () => alignLines(talk.cues, SUNSET_EUROPEAN) },
    { language: 'pt', kind: 'auto', name: 'Portuguese (auto-generated)', cues: () => talk.cues },
  ],
}
