/** Words of names that are translated with them, such as `House` in `White House`. */
export const TITLE_WORDS: Partial<Record<string, ReadonlySet<string>>> = {
  en: new Set(
    `agreement alliance association bank bay board building bureau business cabinet campaign capital castle census center
    central centre championship church city civil club coast college commission committee company conference congress
    constitution corporation council county court cup day defence defense department district earth east eastern education
    empire energy environment environmental estate europe european exchange executive federal federation finance first
    foreign foundation gallery game general government governor great group health high hill hospital house industry
    institute international island islands justice king kingdom labour lady lake law league library line lord lower market
    military minister ministry monarchy moon mountain museum national nations navy new north northern office old
    organization palace park parliament party people picture police president prime prince princess prize public queen red
    republic research return revolution river road royal school science sea second senate service services society south
    southern space spring state states station street summer supreme union united university upper war water west western
    white winter world agency act amendment assembly award bill black blue days director fund green holy income movement
    olympic olympics path pact programme project review savings secretary section strategy target treaty trade trust
    village voice women youth valley bridge tower square gate garden hall home bible book god internet web sun`.split(
      /\s+/u,
    ),
  ),
  es: new Set(
    `acuerdo alianza asociación banco bahía junta edificio oficina empresa gabinete capital castillo censo centro
    campeonato iglesia ciudad club costa colegio comisión comité compañía conferencia congreso constitución corporación
    consejo condado tribunal corte copa día defensa departamento distrito tierra este educación imperio energía ambiente
    ambiental medioambiente estado estados bolsa federal federación fundación galería juego juegos general gobierno
    gobernador gran grupo salud alta alto hospital casa industria instituto internacional isla islas justicia rey reino
    señor señora lago ley liga biblioteca línea baja bajo mercado ministro ministerio monarquía luna montaña museo
    nacional naciones marina nueva nuevo norte organización palacio parque parlamento partido popular pueblo policía
    presidente príncipe princesa premio público reina república investigación revolución río real escuela ciencia mar
    segunda senado servicio servicios sociedad sur espacio espacial primavera estación calle verano supremo unión unido
    unida unidos unidas universidad guerra agua oeste occidente oriente blanca blanco invierno mundo mundial agencia
    enmienda asamblea negro azul director fondo verde santo santa tratado torre puente plaza jardín biblia dios internet
    especial extremo jefe los las el la un una primer primera`.split(/\s+/u),
  ),
  fr: new Set(
    `accord alliance association banque baie bureau bâtiment entreprise cabinet capitale château recensement centre
    championnat église ville club côte collège commission comité compagnie conférence congrès constitution société conseil
    comté tribunal cour coupe jour défense département district terre est éducation empire énergie environnement état
    états bourse fédéral fédération fondation galerie jeu jeux général gouvernement gouverneur grand grande groupe santé
    haute haut hôpital maison industrie institut international île îles justice roi royaume seigneur dame lac loi ligue
    bibliothèque ligne basse bas marché ministre ministère monarchie lune montagne musée national nationale nations marine
    nouveau nouvelle nord organisation palais parc parlement parti populaire peuple police président prince princesse prix
    public reine république recherche révolution rivière royal royale école science mer seconde sénat service services sud
    espace spatiale printemps station rue été suprême union uni unis unie unies université guerre eau ouest blanche blanc
    hiver monde mondial agence amendement assemblée noir bleu directeur fonds vert saint sainte traité tour pont place
    jardin bible dieu internet pays premier première`.split(/\s+/u),
  ),
  pt: new Set(
    `acordo aliança associação banco baía conselho edifício escritório empresa gabinete capital castelo censo centro
    campeonato igreja cidade clube costa colégio comissão comitê companhia conferência congresso constituição corporação
    condado tribunal corte taça copa dia defesa departamento distrito terra leste educação império energia ambiente
    ambiental estado estados bolsa federal federação fundação galeria jogo jogos geral governo governador grande grupo
    saúde alta alto hospital casa indústria instituto internacional ilha ilhas justiça rei reino senhor senhora lago lei
    liga biblioteca linha baixa baixo mercado ministro ministério monarquia lua montanha museu nacional nações marinha
    nova novo norte organização palácio parque parlamento partido popular povo polícia presidente príncipe princesa prêmio
    prémio público rainha república pesquisa revolução rio real escola ciência mar segunda senado serviço serviços
    sociedade sul espaço espacial primavera estação rua verão supremo união unido unida unidos unidas universidade guerra
    água oeste ocidente oriente branca branco inverno mundo mundial agência emenda assembleia negro azul diretor fundo
    verde santo santa tratado torre ponte praça jardim bíblia deus internet país primeira primeiro os um`.split(/\s+/u),
  ),
}

/** Names of places that neither begin alike in all languages nor are those of states. */
export const PLACES = [
  'england inglaterra angleterre englisch english inglés anglais inglês',
  'britain british bretaña británico británica britanique britannique bretagne grã-bretanha britânico reino unido royaume uni',
  'scotland scottish escocia escocés écosse écossais escócia escocês',
  'wales welsh gales galés galles gallois galês',
  'ireland irish irlanda irlandés irlande irlandais irlandês irlandeses',
  'netherlands dutch holanda holandés hollande pays-bas néerlandais países bajos baixos',
  'beijing pekín pékin pequim',
  'greece greek grecia griego grèce grec grécia grego',
  'athens atenas athènes',
  'germany german alemania alemán allemagne allemand alemanha alemão deutsch deutschland',
  'united states american estados unidos états unis eua usa',
  'vienna viena vienne wien',
  'new york nueva york nova iorque',
]
