/** Words of names that are translated with them, such as `House` in `White House`. */
export const TITLE_WORDS: Partial<Record<string, ReadonlySet<string>>> = {
  en: new Set(
    `early fault force good witch mind games mps agreement alliance association bank bay board building bureau business cabinet campaign capital castle census center
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
    village voice women youth valley bridge tower square gate garden hall home bible book god internet web sun
    abbey academy accord age air allied ancient apostle archbishop archipelago army art arts atlantic autumn avenue awards
    bar baron battle beach bishop blessed bronze brother brothers brown bull canal cape captain cardinal cave century
    chair chancellor channel chapel chapter charter chief child children chronicles class classic code colonel colony
    common commons communist conservative consumer continent count countess cross crown crusade crusades dame dark
    daughter dawn dead dean dear death declaration democracy democratic deputy desert diary dome don double dragon dream
    duchess duchy duke eagle easter elder emperor entertainment epic equator era eternal eve evening evil faculty faith
    false family far fashion father feast feed festival fifth fire fleet forest fort fortress forum fourth free front
    frontier gift girl girls glory gold golden gospel grace graf grand gulf half hand harbor harbour head heart heaven
    hell heritage hero hollow homeland honor honour horn horse human hundred hunt ice idea imperial independence
    independent inner institution invisible iron ivory jewish junior key kids knight knights land language large last late
    latin liberal liberation liberty life light lines lion little long lords lost love low machine magic main major man
    manifesto march marine mark mars martial master match mayor medal medieval memorial men mercy middle mind mission
    modern monday money monument mother motion mount mountains mouth music mystery mythology near neo network night no
    nobel noble northeast northwest note novel object ocean open opera order orient orthodox our outer oval pacific pagan
    painting papal paper part pass passion past patriarch peace peak peninsula peoples permanent pictures pilot place
    plain plan planet plate plateau platform pope port portrait power powers prayer press primary problem professor
    prophet province purple race radio railway ray rebellion record redeemer reform regiment regional religion renaissance
    reptile reserve resistance reverend rift right rights rising rock roman romantic roof room rose route ruler saga saint
    salon salt sand scholar sciences sector senior sergeant series seven shadow sheriff ship shore show shrine siege silk
    silver sister site six sky small social son song sound southeast southwest sovereign special speech spirit sports spy
    stadium star stars steel stone storm story strait study style sultan summit sword symphony system table tale tea team
    technology television temple ten testament theater theatre theory third three throne tiger time times top town
    treasure tribe trinity truth twin two under undersea unity upon uprising van vice victory view visitors volcano wall
    walls wars watch wave way week wild wind wing wisdom wolf woman wonder word words works worlds wrath year years yellow
    young zone`.split(/\s+/u),
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
    especial extremo jefe los las el la un una primer primera
    abadía abierto academia actas alcalde alcaldía aliados almirante amigo amor antigua antiguo antiguos apóstol
    archipiélago arte artes artículo asistente atlántico autónoma avenida año años barón batalla bloque bosque bronce
    buena bueno cabo calendario camino campo canal cantón capilla capitán cardenal carta casas catedral católica católico
    cielo científica cine clásica clásico colección colonia comandante comunidad comunista común conde condesa conservador
    constitucional continente corazón corona coronel cruz cruzada crónica crónicas cuarta cuarto cueva cultura código dama
    decreto democrática democrático derecho derechos desierto diario diez dinastía diputado dolor domingo don doña duque
    duquesa edad escala escudo esperanza estadio estrecho estrella estrellas eterna eterno evangelio exterior faro fe
    festival fiesta foro frente frontera fuego fuente fuerza fuerzas gente gloria golfo guardia guerras hijo hijos
    historia hito hombre hombres honor hora humana humano humanos imperial independencia infantería inmaculada interior
    jardines jefa juan jueves juicio juventud lengua liberación libertad libre libro llanura logia lunes luz madre maestro
    magna martes medalla media medio mediterráneo mental mesa meta mil misión moderna moderno monarca monasterio monedas
    montañas monte monumento muerte mujer mujeres muro mártir música naval navidad negra niña niño niños noble noche
    nombre noreste noroeste nuestra nuestro obispo obra océano oriental oro oscura pacífico padre papa parte pasado pasión
    patrimonio paz países península perro pintura planeta plata poder poderes premios primero provincia puerta puerto
    radio rebelión reforma región religión renacimiento reserva revista reyes rocas roja rojo romana romano rosa ruta
    sacro sagrada sala salón segundo semana ser serie sexto siglo siglos sistema sociales sol solar submarino suelo sueño
    sultán superior sábado tablas teatro televisión templo tercer tercera testamento tiempo tierras tinieblas todos
    trabajo tradición tren tribu trono universal valle verdad vida viejo virgen visita vivo voz vía zona ópera`.split(
      /\s+/u,
    ),
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
    jardin bible dieu internet pays premier première
    abbaye académie actes adjoint administration affaires air alliés amiral amour an ancien ancienne anciens année apôtre
    archevêque archipel art artistes arts assistant assistante atlantique aube automne avenue baron bataille beau belle
    bloc bois bon bonne bronze camp canal cap capitaine cardinal carte catholique cathédrale chambre chancelier chapelle
    charte chaîne chef chemin chrétien ciel cinéma cité classe classique code colline colonel colonie commandant commune
    communes communiste comparateur comte comtesse conservateur consommateurs consommation continent corps couronne
    croisade croix culture côtes deux dieux dimanche dragon droit droits duc duchesse dynastie déclaration démocratie
    démocratique député désert détroit europe examen femme femmes feu fier fille film fils fleuve foi fondateur fontaine
    force forces fort forum forêt front frontière fête garde gens golfe grandes grands grotte guerres guide habitants
    hautes histoire homme hommes honneur hors humain héritage héros ibérique idée impérial indépendance infanterie
    inférieur inférieure institution invincible jeudi jeune journal jours kids la langue lettres liberté libre libération
    livre loge lois lumière lundi lycée légion madame mademoiselle maire mairie mal mariage maréchal match messieurs midi
    milieu mission moderne monastère monsieur mont montagnes monument mort moyen moyenne mur musique mystère mère mètre
    médaille médias méditerranée mémoire naissance navale nom note notre nuit océan office opéra ordre orient oriental
    ouvert pacifique page paix pape papier partie passion passé patrimoine peintre peste petit petite peuples philosophie
    pierre plan planète plateau plus point porte position pouvoir pouvoirs poésie presse professeur projet protestant
    province présidente puissance puissances père péninsule quatre radio rameaux religion renaissance roche rois romain
    roman route réforme régiment région réseau réserve résistance révérend rêve sacré saison salle salon samedi sciences
    scène secrétaire seigneurs sel semaine siècle soir soleil sommet sous spécial stade succès surface système série table
    temple temps terres théorie théâtre tiers titre tombe troisième trésor trésorerie trône télévision vallée vendredi
    vent vers vie vierge vieux village visage voie voix vol volcan voyage vrai zone âge écosystème éditions éternel étoile
    étoiles évangile événement évêque œuvre`.split(/\s+/u),
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
    verde santo santa tratado torre ponte praça jardim bíblia deus internet país primeira primeiro os um
    abadia aberto academia aliados almirante amigo amor ano anos antiga antigo antigos apóstolo arcebispo arquipélago arte
    artes assistente atlântico autônoma avenida barão batalha bela belo bloco boa bom bosque bronze cabo caminho campo
    canal capela capitão cardeal carta casas catedral católica católico cinema ciências clássica clássico coleção colônia
    comandante comum comunidade comunista conde condessa conservador constitucional continente coração coroa coronel
    costas cruz cruzada crônica crônicas cultura céu código dama decreto democrática democrático deputado deserto dinastia
    direito direitos diário dom domingo dona duque duquesa era escudo especial esperança estreito estrela estrelas estádio
    eterna eterno evangelho exterior extremo farol festival fim fogo fonte força forças frente fronteira fé fórum glória
    golfo guarda guerras herança herói história homem homens honra hora humana humano humanos idade imperador imperial
    independência infantaria interior jardins juventude lagoa legião liberdade libertação livre livro luz língua madre
    medalha mediterrâneo mesa mestre missão moderna moderno montanhas monte monumento morte mosteiro mulher mulheres
    muralha muro mãe média médio música natal naval negra nobre noite nome nordeste noroeste nossa nosso obra oceano ordem
    oriental ouro pacífico padre pai paixão palavra papa parte passado patrimônio paz países península planeta plano poder
    poderes ponto porta porto prata província prêmios quarta quarto quinta ramos rebelião reforma região reis religião
    renascimento reserva revista rocha romana romano rosa rota rádio sacro sagrada sala salão segundo semana sexta sistema
    social sol solar sonho sudeste sudoeste sultão superior sábado século série teatro televisão templo tempo terceira
    terceiro terras terça testamento todos trem trevas tribo trono universal vale velho verdade vermelha vermelho via vice
    vida vila virgem voz vulcão zona ópera último`.split(/\s+/u),
  ),
}

/** Endings of common words and of the names of peoples, which are translated, too. */
export const COMMON_ENDINGS: Partial<Record<string, RegExp>> = {
  en: /(?:tion|sion|ment|ship|ity|ism|ness|ous|ary|ive|ence|ance|age|ology|graphy|hood|ical|ional|ial|ble|less|ful|ward|ists|ians?|ese|ish|tors|ings|tics)$/u,
  es: /(?:ción|ciones|sión|siones|dad|dades|mento|mentos|miento|ismo|istas?|ic[oa]s?|al|ales|ari[oa]s?|iv[oa]s?|encia|ancia|encias|dor|dores|dora|tores|ntes?|an[oa]s?|eses|és|esa|ense|enses|ología|grafía|able|ible|ñol[ae]?s?|eñ[oa]s?|ísim[oa]s?)$/u,
  fr: /(?:tions?|sions?|ments?|té|tés|isme|istes?|iques?|els?|elles?|aires?|ifs?|ives?|ences?|ances?|eurs?|rices?|iens?|iennes?|ais|aises?|ois|oises?|ologie|graphie|ables?|ibles?|ures?|ains?|aines?|al|aux|ales?|eux|euses?|ents?|ants?)$/u,
  pt: /(?:ção|ções|são|sões|dade|dades|mento|mentos|ismo|istas?|ic[oa]s?|al|ais|ári[oa]s?|iv[oa]s?|ência|ância|ências|dor|dores|dora|tores|ntes?|an[oa]s?|eses|ês|esa|ense|enses|ologia|grafia|ável|ível|eir[oa]s?)$/u,
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
  'texas tejas',
  'sunday domingo dimanche',
  'paul pablo paulo',
  'john juan jean joão',
  'henry enrique henri henrique',
  'michael miguel michel',
  'peter pedro pierre',
  'james jacob santiago jacques tiago',
  'william guillermo guillaume guilherme',
  'charles carlos',
  'philip felipe filipo philippe filipe',
  'london londres',
  'turkey turkish turquía turco turquie turc turquia',
  'caribbean caribe caraïbes',
  'bosphorus bósforo bosphore',
  'ukraine ukrainian ucrania ucraniano ucrânia',
  'latium lacio lácio',
  'new york nueva york nova iorque',
]
